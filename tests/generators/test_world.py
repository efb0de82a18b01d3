from __future__ import annotations

import random
from datetime import date

import pytest

from authoring.errors import UserError
from generators.world import World, build_world, business_day, read_vocabulary


def world(seed: int, vendors: int = 8) -> World:
    return build_world(random.Random(seed), vendors)


def test_the_same_seed_gives_the_same_world() -> None:
    assert world(3) == world(3)
    assert world(3) != world(4)


def test_a_world_does_not_disturb_the_common_source_of_randomness() -> None:
    random.seed(1)
    expected = random.random()
    random.seed(1)
    world(5)
    assert random.random() == expected


@pytest.mark.parametrize("seed", range(5))
def test_no_two_companies_share_a_name_and_no_two_people_do(seed: int) -> None:
    made = world(seed, vendors=30)
    companies = [made.client, *(vendor.company for vendor in made.vendors)]
    people = [made.signatory, made.counsel, made.privacy, *made.sponsors]
    people += [p for vendor in made.vendors for p in (vendor.signatory, vendor.manager)]
    assert len({c.short for c in companies}) == len({c.slug for c in companies}) == 31
    assert len({p.name for p in people}) == len({p.email for p in people}) == len(people)


def test_people_write_from_the_domain_of_their_company() -> None:
    for vendor in world(2).vendors:
        for person in (vendor.signatory, vendor.manager):
            assert person.email.endswith(f"@{vendor.company.domain}")


def test_vendors_differ_in_trade_until_every_trade_has_come_once() -> None:
    trades = len(read_vocabulary().trades)
    made = world(1, vendors=trades + 2)
    assert len({vendor.trade.name for vendor in made.vendors[:trades]}) == trades


def test_rates_and_prices_stay_in_the_ranges_of_the_trade() -> None:
    for vendor in world(9, vendors=12).vendors:
        for rate in vendor.rates:
            low, high = vendor.trade.roles[rate.role]
            assert low <= rate.day <= high
        for product in vendor.products:
            low, high = vendor.trade.products[product.name]
            assert low <= product.price <= high


def test_too_many_vendors_are_refused() -> None:
    with pytest.raises(UserError, match="names for 149 vendors, 150 were asked for"):
        world(1, vendors=150)


def test_a_business_day_is_no_saturday_and_no_sunday() -> None:
    source = random.Random(1)
    days = {business_day(source, date(2024, 3, 8), date(2024, 3, 11)) for _ in range(50)}
    assert days == {date(2024, 3, 8), date(2024, 3, 11)}
