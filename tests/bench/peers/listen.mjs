// Says where a server listens, in one line, and ends with SIGTERM.

export function ready(port, more = {}) {
  console.log(JSON.stringify({ port, ...more }));
}

process.on("SIGTERM", () => process.exit(0));
