// Holds one session over the interface of a server of its own: MODEL as PROVIDER/NAME, then a prompt.
const [model, prompt] = process.argv.slice(2);
const [providerID, id] = model.split("/");
const address = "http://127.0.0.1:4097/api";

async function ask(path, body) {
  const answer = await fetch(`${address}${path}`, {
    method: body ? "POST" : "GET",
    headers: { "content-type": "application/json" },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(body ? 60000 : 5000),
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

// The server begins to listen before it can answer, and to answer before it knows its models.
async function until(look) {
  for (;;) {
    const found = await look().catch(() => false);
    if (found) return found;
    await Bun.sleep(50);
  }
}

const { BUN_BE_BUN: _, ...environment } = process.env;
const server = Bun.spawn(
  [process.execPath, "serve", "--hostname", "127.0.0.1", "--port", "4097"],
  { env: environment, stdout: "ignore", stderr: "inherit" },
);
await until(async () => (await ask("/model")).data.some((one) => one.id === id));
const { data: session } = await ask("/session", { model: { id, providerID } });
await ask(`/session/${session.id}/prompt`, { prompt: { text: prompt } });
await until(async () => {
  const { data: [newest] } = await ask(`/session/${session.id}/message`);
  return newest.type === "assistant" && newest.finish && newest.finish !== "tool-calls";
});
server.kill();
await server.exited;
