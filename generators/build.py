"""From a spec to a build: a corpus with its needles in it, and the account of what they are.

All of it is made in memory and written once. The same spec, seed and version give the same bytes
in any process.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from authoring.artefacts import sha256, to_json
from authoring.errors import UserError, nearest
from authoring.spec import Breaks, NeedleSpec, ScenarioSpec, Size
from generators.budget import check_budget
from generators.build_folder import (
    Build,
    BuildContent,
    load_build,
    read_manifest,
    write_build,
)
from generators.build_paths import BuildPaths
from generators.catalogue import Registrations, installed
from generators.document import Document
from generators.lines import split_lines
from generators.manifest import (
    GeneratorVersion,
    Manifest,
    ManifestFile,
    Role,
    tree_hash,
)
from generators.merging import Merged, merge_plantings
from generators.placement import Copy, Site, copies_of, plant_all
from generators.planting import Planter
from generators.registry import RegisteredNeedle, Registry, Span, restore
from generators.resolved import (
    PLACEMENTS,
    BuildParameters,
    ResolvedSpec,
    build_name,
    dump_spec,
    resolve,
)
from generators.scope import roles
from generators.sections import find_section
from generators.seeding import randomness
from generators.telling_edits import refuse_telling
from generators.tokens import count_tokens
from generators.witnesses import witness_fault, witness_rows

__all__ = ["Build", "build_scenario", "generate", "load_build", "read_manifest"]


def build_scenario(
    spec: ScenarioSpec,
    *,
    size: Size,
    seed: int | None = None,
    placement: int = 0,
    parent: Path,
    ocb_version: str,
    registrations: Registrations | None = None,
) -> BuildPaths:
    """Build a scenario into `parent/<id>-<hash>`, or leave an equal build as it is.

    Without a seed the spec's own is taken, without registrations what is installed. Raises
    UserError where the spec cannot be built, where the corpus is outside of its budget, and where a
    build of that name was changed.
    """
    if not 0 <= placement < PLACEMENTS:
        raise UserError(f"there is no placement {placement}", remedy="0, 1 or 2")
    known = registrations or installed()
    parameters = BuildParameters(
        size=size, seed=spec.seed if seed is None else seed, placement=placement
    )
    resolved = resolve(spec, parameters, known)
    documents = generate(resolved, known)
    role_of = roles([str(document.path) for document in documents], resolved.scope)
    copies = copies_of(resolved.needles, size)
    merged = _plant(resolved, copies, documents, role_of, known)
    registry = Registry(
        scenario=spec.id,
        needles=tuple(_registered(copy.needle, merged, role_of) for copy in copies),
    )
    if restore(merged.texts, registry.needles) != merged.clean:
        raise AssertionError("the edits of the registry do not give the clean corpus back")
    generator = GeneratorVersion(
        name=spec.corpus.generator, version=known.generators[spec.corpus.generator].version
    )
    manifest = _manifest(
        resolved,
        registry,
        _files(documents, role_of, merged.texts),
        merged,
        generator,
        ocb_version,
    )
    content = BuildContent(
        resolved,
        registry,
        manifest,
        merged.texts,
        {name: one.witnesses for name, one in merged.needles.items() if one.witnesses},
    )
    return write_build(parent, content)


def generate(spec: ResolvedSpec, registrations: Registrations) -> tuple[Document, ...]:
    """The clean corpus of a resolved spec, byte-sorted. Raises UserError for a bad document."""
    name = spec.corpus.generator
    generator = registrations.generator(
        name, spec.corpus.parameters, randomness(spec.build.seed, "corpus", name)
    )
    documents: dict[PurePosixPath, Document] = {}
    for document in generator.documents():
        fault = "is written twice" if document.path in documents else _fault(document)
        if fault:
            raise UserError(f"generator {name}: {document.path} {fault}")
        documents[document.path] = document
    return tuple(sorted(documents.values(), key=lambda document: str(document.path).encode()))


def _fault(document: Document) -> str:
    path = document.path
    if path.is_absolute() or ".." in path.parts or not path.parts:
        return "is no path inside the corpus"
    if not str(path).isprintable():
        return "has characters in its path that do not print"
    if not document.text.strip():
        return "is empty"
    if "\r" in document.text and not document.verbatim:
        return "holds a CR; lines end in LF"
    if any("\ud800" <= character <= "\udfff" for character in document.text):
        return "holds half a character"
    return ""


def _plant(
    spec: ResolvedSpec,
    copies: Sequence[Copy],
    documents: Sequence[Document],
    role_of: Mapping[str, Role],
    registrations: Registrations,
) -> Merged:
    """Every needle on the clean corpus, in the order of the spec, and all of them together."""
    site = Site.of(
        documents,
        (path for path, role in role_of.items() if role == "review"),
        size=spec.build.size,
        seed=spec.build.seed,
        placement=spec.build.placement,
    )

    def planter_of(needle: NeedleSpec) -> Planter:
        return registrations.planter(needle.plant.planter, needle.plant.parameters)

    planted = plant_all(copies, planter_of, site)
    for name, one in planted.items():
        refuse_telling(name, one)
        fault = witness_fault(one, site.ground)
        if fault:
            raise UserError(f"needle {name}: the planter gives no good witnesses: {fault}")
    return merge_plantings({str(path): text for path, text in site.ground.texts.items()}, planted)


def _registered(
    needle: NeedleSpec, merged: Merged, role_of: Mapping[str, Role]
) -> RegisteredNeedle:
    planted = merged.needles[needle.id]
    relative_to: tuple[Span, ...] = ()
    if needle.breaks is not None:
        try:
            relative_to = (_broken(needle.breaks, merged.texts, role_of),)
        except UserError as error:
            raise UserError(f"needle {needle.id}: breaks: {error}") from error
    return RegisteredNeedle(
        id=needle.id,
        kind=needle.kind,
        severity=needle.severity,
        report=needle.report,
        evidence=planted.evidence,
        relative_to=relative_to,
        edits=planted.edits,
    )


def _broken(breaks: Breaks, texts: Mapping[str, str], role_of: Mapping[str, Role]) -> Span:
    """The lines of the section of a reference file that a needle breaks."""
    references = [path for path, role in role_of.items() if role == "reference"]
    if breaks.path not in references:
        raise UserError(
            f"{breaks.path} is no reference file", remedy=nearest(breaks.path, references)
        )
    section = find_section(breaks.path, split_lines(texts[breaks.path]), breaks.heading)
    return Span(path=breaks.path, first=section.first, last=section.last)


def _files(
    documents: Sequence[Document], role_of: Mapping[str, Role], texts: Mapping[str, str]
) -> tuple[ManifestFile, ...]:
    """What the manifest says of each file, as it is planted."""
    kinds = {str(document.path): document.kind for document in documents}
    return tuple(
        ManifestFile(
            path=path,
            kind=kinds[path],
            role=role_of[path],
            sha256=sha256(text.encode()),
            lines=len(split_lines(text)),
            tokens=count_tokens(text),
        )
        for path, text in texts.items()
    )


def _manifest(
    spec: ResolvedSpec,
    registry: Registry,
    files: Sequence[ManifestFile],
    merged: Merged,
    generator: GeneratorVersion,
    ocb_version: str,
) -> Manifest:
    check_budget(spec, {file.path: file.tokens for file in files})
    return Manifest(
        scenario=spec.id,
        build=build_name(spec, dump_spec(spec), generator, ocb_version),
        ocb=ocb_version,
        generator=generator,
        size=spec.build.size,
        seed=spec.build.seed,
        placement=spec.build.placement,
        encoding=spec.budget.encoding,
        registry_sha256=sha256(to_json(registry)),
        tree=tree_hash((file.path, file.mode, file.sha256) for file in files),
        clean_tree=tree_hash(
            (file.path, file.mode, sha256(merged.clean[file.path].encode())) for file in files
        ),
        files=tuple(files),
        witnesses=witness_rows(merged.needles),
    )
