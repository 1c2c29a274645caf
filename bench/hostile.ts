import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { openApi } from '../e2e/api-session.ts'
import { firstStart } from '../e2e/first-start.ts'

/**
 * `npm run bench:hostile [-- CONNECTIONS SECONDS]`: cost of hostile connections (docs/limits.md): compression bombs of each
 * encoding, endless headers, slow and endless bodies and endless SMTP, 1,000 concurrent connections to the public ports of
 * the whole program. Measures the resident memory of their roles (Linux), and the duration of authenticated calls meanwhile.
 */
const CONNECTIONS = Number(process.argv[2] ?? 1_000)
const SECONDS = Number(process.argv[3] ?? 20)

const bombSize = 50_000_000
const head = (path: string, more: string) => `POST ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n\r\n`
const bomb = (encoding: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from(
      head(
        '/api/auth/login',
        `Content-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}`,
      ),
    ),
    body,
  ])
const spaces = Buffer.alloc(bombSize, ' ')

/** Sent bytes, and the port as offset from the console's. */
const attacks: [offset: number, data: Buffer][] = [
  [0, bomb('gzip', gzipSync(spaces))],
  [0, bomb('deflate', deflateSync(spaces))],
  [0, bomb('br', brotliCompressSync(spaces))],
  [0, Buffer.from(head('/api/auth/login', 'Content-Type: application/json\r\nContent-Length: 60000'))],
  [0, Buffer.from(`GET / HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(8_000)}\r\n`)],
  [1, Buffer.from(`${head('/u/x', 'Content-Length: 50000000')}${'a'.repeat(60_000)}`)],
  [1, Buffer.from(`GET /t/o/${'a'.repeat(4_000)}.gif HTTP/1.1\r\nX-A: ${'b'.repeat(9_000)}\r\n`)],
  [2, Buffer.from(`EHLO x\r\nMAIL FROM:<>\r\n${'RCPT TO:<b-forged@x.test>\r\n'.repeat(300)}`)],
]

execFileSync(process.execPath, ['scripts/build.mjs'], { stdio: 'inherit' })
const emma = await firstStart()
const sockets: Socket[] = []
try {
  const api = await openApi(emma)
  const roles = readRoles(emma.pid)
  // The memory of the start is not a cost of the attack.
  await sleep(10_000)
  const before = memoryOf(roles)
  const peak = new Map(before)
  const times: number[] = []
  let failed = 0
  for (let index = 0; index < CONNECTIONS; index++) {
    const [offset, data] = attacks[index % attacks.length] ?? [0, Buffer.alloc(0)]
    const socket = connect(emma.port + offset, '127.0.0.1')
    socket.on('error', () => {})
    socket.resume().write(data)
    sockets.push(socket)
  }
  for (const until = Date.now() + SECONDS * 1_000; Date.now() < until; ) {
    const started = performance.now()
    await api.get('/emma/campaign/?limit=25')
    times.push(performance.now() - started)
    if (!(await fetch(`${emma.url}/ready`)).ok) failed++
    for (const [role, megabytes] of memoryOf(roles)) peak.set(role, Math.max(megabytes, peak.get(role) ?? 0))
    await sleep(50)
  }
  const growth = [...peak].map(([role, megabytes]) => [role, megabytes - (before.get(role) ?? 0)] as const)
  for (const [role, megabytes] of growth)
    console.log(`${role.padEnd(10)} ${before.get(role)} MB, ${megabytes} MB more`)
  const sorted = times.toSorted((a, b) => a - b)
  console.log(
    JSON.stringify({
      growth_mb: Math.max(...growth.map(([, megabytes]) => megabytes)),
      call_p50_ms: Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0),
      call_p99_ms: Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
      ready_failed: failed,
    }),
  )
} finally {
  for (const socket of sockets) socket.destroy()
  await emma.stop()
  rmSync(emma.dataFolder, { recursive: true, force: true })
}

/** Reads the process ids of the roles with public ports, by name. */
function readRoles(supervisor: number): Map<string, number> {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(supervisor)], { encoding: 'utf8' })
  const found = [...stdout.matchAll(/^\s*(\d+) .*role-process\.js (api|tracking|inbound)/gm)]
  return new Map(found.map(([, pid, role]) => [role ?? '', Number(pid)]))
}

function memoryOf(roles: Map<string, number>): Map<string, number> {
  return new Map(
    [...roles].map(([role, pid]) => {
      const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
      return [role, Math.round(Number(kilobytes) / 1_024)]
    }),
  )
}
