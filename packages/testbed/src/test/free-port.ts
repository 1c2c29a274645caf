import { createServer } from 'node:net'

/** Below the ephemeral ports (32,768): the system gives those to any other program before one is bound. */
const FIRST_PORT = 10_000
const PORTS_PER_WORKER = 2_800
const WORKERS = 8

/** Returns the first of `count` consecutive free ports. Each test worker has its own range. */
export async function freePort(count = 1): Promise<number> {
  const range = FIRST_PORT + (Number(process.env.VITEST_POOL_ID ?? 0) % WORKERS) * PORTS_PER_WORKER
  for (let attempt = 0; attempt < 100; attempt++) {
    const first = range + Math.floor(Math.random() * (PORTS_PER_WORKER - count))
    const free = await Promise.all(Array.from({ length: count }, (_, index) => isFree(first + index)))
    if (free.every(Boolean)) return first
  }
  throw new Error(`There are no ${count} free ports in a row.`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '0.0.0.0', () => server.close(() => resolve(true)))
  })
}
