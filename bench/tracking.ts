import { type ChildProcess, execFile, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expandCampaign } from '@emma/delivery/1-expand/expand-campaign.ts'
import { snapshotCampaign } from '@emma/delivery/model/campaign-snapshot.ts'
import { addCampaign, createTestTenant } from '@emma/core/test/tenant.ts'
import { segmentOf } from '@emma/delivery/test/engine.ts'
import { signToken } from '@emma/mail/token.ts'
import { loadConfig } from '@emma/server/config.ts'
import { nodeArguments } from '@emma/server/roles.ts'
import { mailTokenKey } from '@emma/server/mail-token-key.ts'
import { PIXEL } from '@emma/server/tracking/event-responses.ts'
import { freePort } from '@emma/testbed/test/free-port.ts'
import { sql } from 'kysely'
import { median, openBenchDatabase } from './bench-database.ts'
import { requirePrograms } from './require-programs.ts'

/**
 * `npm run bench:tracking [-- ROUNDS SECONDS]`: opens and clicks of the tracking role in its own process, as in production.
 * Baseline, in alternation: nginx with one worker that serves a static 1×1 GIF and `return 302`. wrk sends requests over 64
 * connections with the headers of a browser, to EMMA for 5,000 different mails. EMMA is measured while it stores events,
 * nginx when all events are stored. Afterwards both get a fixed rate of 80 % of EMMA's. At the end, every event that EMMA
 * responded to must be in the event log exactly once.
 *
 * The last line is JSON: `open_vs_nginx`, `click_vs_nginx` (medians of the rounds' ratios), `open_p99_ms_at_80`,
 * `click_p99_ms_at_80`, CPU time of the responding thread per request in µs for both, and `stored_per_s` on an idle machine.
 */
const ROUNDS = Number(process.argv[2] ?? 9)
const SECONDS = Number(process.argv[3] ?? 1)
const CONNECTIONS = 64
const MAILS = 5_000

/** Bytes of an event in the spool, with the headers below. */
const LINE = 187

/** Clock ticks per second (Linux). */
const TICKS = 100

const run = promisify(execFile)
requirePrograms({ nginx: 'nginx', wrk: 'wrk' })
const database = await openBenchDatabase()
const { db, folder } = database
const children: ChildProcess[] = []
const storedPerSecond: number[] = []
try {
  const [emmaPort, nginxPort] = [await freePort(), await freePort()]
  const environment = {
    EMMA_DATA: folder,
    EMMA_SECRET: 'a secret for benchmarks',
    DATABASE_URL: database.url,
    EMMA_TRACKING_PORT: String(emmaPort),
  }
  const config = loadConfig(environment)
  const emails = Array.from({ length: MAILS }, (_, index) => `person.${index}@gmx.test`)
  const tenant = await createTestTenant(db, emails)
  const campaign = await addCampaign(tenant)
  await expandCampaign(db, campaign, {
    segmentOf,
    takeSnapshot: (tx, found) => snapshotCampaign(tx, found, () => 'https://news.shop.example'),
  })
  await sql`update delivery set state = 'sent', recorded_at = now() - interval '1 hour'`.execute(db)
  const key = mailTokenKey(config)
  const tokens = Array.from({ length: MAILS }, (_, index) =>
    signToken(key, { kind: 'campaign', ...campaign, memberId: index + 1 }, 'tracking'),
  )

  const nginxWorker = await startNginx(nginxPort)
  const role = fork(
    fileURLToPath(import.meta.resolve('@emma/server/supervisor/role-process.ts')),
    ['tracking'],
    { env: { ...process.env, ...environment, LOG_LEVEL: 'warn' }, execArgv: nodeArguments('tracking') },
  )
  children.push(role)
  await once(role, 'message')

  const kinds = {
    open: {
      emma: tokens.map(token => head(`/t/o/${token}.gif`)),
      nginx: tokens.map(token => head(`/x.gif?${token}`)),
      status: '200',
    },
    click: {
      emma: tokens.map(token => head(`/t/c/${token}/1`)),
      nginx: tokens.map(token => head(`/c?${token}/1`)),
      status: '302',
    },
  }
  const results = []
  let answered = 0
  for (const [kind, { emma, nginx, status }] of Object.entries(kinds)) {
    const [emmaScript, nginxScript] = [writeScript(`${kind}-emma`, emma), writeScript(`${kind}-nginx`, nginx)]
    const rounds: { emma: number; nginx: number; cpu: number; nginxCpu: number }[] = []
    // The first round is a warm-up.
    for (let round = 0; round <= ROUNDS; round++) {
      const ofNginx = await load(nginxPort, nginxScript, nginxWorker)
      const ofEmma = await load(emmaPort, emmaScript, role.pid ?? 0)
      answered += ofEmma.answers
      if (round > 0)
        rounds.push({
          emma: ofEmma.perSecond,
          nginx: ofNginx.perSecond,
          cpu: ofEmma.cpu,
          nginxCpu: ofNginx.cpu,
        })
      await untilStored()
    }
    const rate = median(rounds.map(each => each.emma))
    const paced = await pace(emmaPort, emma, status, rate * 0.8)
    answered += paced.answers
    await untilStored()
    const beside = await pace(nginxPort, nginx, status, rate * 0.8)
    results.push({
      kind,
      emma: Math.round(rate),
      nginx: Math.round(median(rounds.map(each => each.nginx))),
      ratio: Number(median(rounds.map(each => each.emma / each.nginx)).toFixed(3)),
      'CPU µs': Number(median(rounds.map(each => each.cpu)).toFixed(1)),
      'nginx CPU µs': Number(median(rounds.map(each => each.nginxCpu)).toFixed(1)),
      'p50 at 80 %': paced.p50,
      'p99 at 80 %': paced.p99,
      'p99 of nginx': beside.p99,
    })
  }
  const taken = await countTaken()
  role.send({ type: 'stop' })
  await once(role, 'exit')
  const stored = await countStored()
  console.table(results)
  console.log(`${answered} answers arrived, ${taken} hits answered, ${stored} stored`)
  if (stored !== taken || taken < answered) throw new Error('Hits were lost, or stored twice')
  const [open, click] = results
  console.log(
    JSON.stringify({
      bench: 'tracking',
      open_vs_nginx: open?.ratio,
      click_vs_nginx: click?.ratio,
      open_p99_ms_at_80: open?.['p99 at 80 %'],
      click_p99_ms_at_80: click?.['p99 at 80 %'],
      open_cpu_us: open?.['CPU µs'],
      click_cpu_us: click?.['CPU µs'],
      nginx_open_cpu_us: open?.['nginx CPU µs'],
      nginx_click_cpu_us: click?.['nginx CPU µs'],
      nginx_open_p99_ms: open?.['p99 of nginx'],
      nginx_click_p99_ms: click?.['p99 of nginx'],
      stored_per_s: Math.round(median(storedPerSecond)),
    }),
  )
} finally {
  for (const child of children) child.kill()
  await Promise.all(
    children
      .filter(child => child.exitCode === null && child.signalCode === null)
      .map(child => once(child, 'exit')),
  )
  await database.close()
}

/** Returns a GET request with the headers of a browser. */
function head(path: string): string {
  return [
    `GET ${path} HTTP/1.1`,
    'Host: news.shop.example',
    'User-Agent: Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Accept: image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
    'Accept-Encoding: gzip, deflate, br, zstd',
    'Accept-Language: de-DE,de;q=0.9,en-US;q=0.8',
    'Referer: https://mail.example/',
    '\r\n',
  ].join('\r\n')
}

/** Writes a script for wrk that sends the prepared requests in rotation. */
function writeScript(name: string, requests: readonly string[]): string {
  const path = join(folder, `${name}.lua`)
  const lines = requests.map(request => JSON.stringify(request)).join(',\n')
  writeFileSync(
    path,
    `local requests = {${lines}}\nlocal at = 0\nfunction request()\n  at = at % #requests + 1\n  return requests[at]\nend\n`,
  )
  return path
}

/** Returns requests per second and the number of responses, from wrk, and the CPU time of `pid` per response in µs. */
async function load(
  port: number,
  script: string,
  pid: number,
): Promise<{ perSecond: number; answers: number; cpu: number }> {
  const before = cpuSeconds(pid)
  const { stdout } = await run('wrk', [
    '-t1',
    `-c${CONNECTIONS}`,
    `-d${SECONDS}`,
    '-s',
    script,
    `http://127.0.0.1:${port}`,
  ])
  const answers = Number(/(\d+) requests in/.exec(stdout)?.[1] ?? 0)
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1] ?? 0)
  if (answers === 0 || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  return { perSecond, answers, cpu: ((cpuSeconds(pid) - before) / answers) * 1e6 }
}

async function pace(port: number, requests: string[], status: string, perSecond: number) {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./tracking-load.ts'))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  child.stdin.end(
    JSON.stringify({ port, requests, status, perSecond, connections: CONNECTIONS, seconds: SECONDS * 3 }),
  )
  const { answers, p50, p99 } = JSON.parse(await text(child.stdout))
  // One more request measured the length of a response.
  return { answers: Number(answers) + 1, p50: Number(p50), p99: Number(p99) }
}

/** Starts nginx and returns the process id of its worker. */
async function startNginx(port: number): Promise<number> {
  writeFileSync(join(folder, 'x.gif'), PIXEL)
  const path = join(folder, 'nginx.conf')
  writeFileSync(
    path,
    `worker_processes 1;
daemon off;
pid ${join(folder, 'nginx.pid')};
error_log ${join(folder, 'nginx.log')};
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  types { image/gif gif; }
  server {
    listen 127.0.0.1:${port};
    root ${folder};
    add_header cache-control "no-store, private";
    location = /x.gif {
      add_header cache-control "no-store, private";
      add_header cross-origin-resource-policy cross-origin;
      add_header x-content-type-options nosniff;
    }
    location = /c {
      add_header cache-control "no-store, private";
      add_header referrer-policy no-referrer;
      return 302 https://shop.example/;
    }
  }
}
`,
  )
  const nginx = spawn('nginx', ['-c', path], { stdio: 'inherit' })
  children.push(nginx)
  await sleep(1_000)
  if (nginx.exitCode !== null) throw new Error('nginx did not start')
  return Number(readFileSync(`/proc/${nginx.pid}/task/${nginx.pid}/children`, 'utf8').trim())
}

/** CPU time of the main thread, which responds to requests. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/task/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}

/** Waits until all spooled events are stored, and records the rate. */
async function untilStored(): Promise<void> {
  const started = performance.now()
  const waiting = await countWaiting()
  while ((await countWaiting()) > 0) await sleep(100)
  if (waiting > 20_000) storedPerSecond.push((waiting / (performance.now() - started)) * 1_000)
}

/** Counts spooled events that are not stored: those after the position of their file. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{
    file: string
    position: number
  }>`select file, position from hit_journal`.execute(db)
  const positions = new Map(rows.map(({ file, position }) => [file, position]))
  const hits = join(folder, 'hits')
  const bytes = readdirSync(hits).map(file => {
    // A stored file may have been deleted.
    const size = statSync(join(hits, file), { throwIfNoEntry: false })?.size ?? 0
    return size - (positions.get(file) ?? 0)
  })
  return Math.round(bytes.reduce((sum, each) => sum + Math.max(0, each), 0) / LINE)
}

/** Number of responses by the metrics of the role; more than wrk received, because wrk stops with requests in flight. */
function countTaken(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socketPath = join(folder, 'run', 'metrics-tracking.sock')
    get({ socketPath, path: '/metrics' }, answer => {
      text(answer).then(metrics => {
        const counts = [...metrics.matchAll(/^emma_hits_total\{.*\} (\d+)$/gm)]
        resolve(counts.reduce((sum, [, count]) => sum + Number(count), 0))
      }, reject)
    }).on('error', reject)
  })
}

async function countStored(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from event`.execute(db)
  return rows[0]?.count ?? 0
}
