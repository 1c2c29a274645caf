import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'

/** A running Chromium, controlled by the DevTools protocol over two pipes. It opens no port. */
export interface Chromium {
  /** @throws Error if it rejects the command or ends */
  send(method: string, params?: object, sessionId?: string): Promise<Record<string, unknown>>
  /** Calls the listener for each event until the end. */
  listen(listener: (event: ChromiumEvent) => void): void
}

export interface ChromiumEvent {
  method: string
  params: Record<string, unknown>
}

/** Bytes of one message: a picture in base64, or a request with its address. */
const MESSAGE_BYTES = 20_000_000

/** Kilobytes of writable memory of each of its processes, seconds of CPU, and blocks of 512 bytes of a file. */
const LIMITS = 'ulimit -c 0 -d 1500000 -t 60 -f 131072'

/**
 * Starts Chromium with an empty profile, lets `use` control it, and ends all its processes. It has no network: names
 * are not resolved, and connections lead to a proxy that does not exist. It runs when no other process needs the CPU.
 * @throws Error when it takes longer than `timeoutMs` or is aborted
 */
export async function runChromium<T>(
  program: string,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
  use: (chromium: Chromium) => Promise<T>,
): Promise<T> {
  const profile = await mkdtemp(join(tmpdir(), 'emma-chromium-'))
  const child = start(program, profile)
  const ended = new Promise<void>(resolve => void child.once('close', () => resolve()))
  const until = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  try {
    return await Promise.race([use(connect(child)), whenAborted(until), whenFailed(child)])
  } finally {
    endAll(child)
    await ended
    await rm(profile, { recursive: true, force: true, maxRetries: 3 })
  }
}

function start(program: string, profile: string): ChildProcess {
  const flags = [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--no-default-browser-check',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-extensions',
    '--disable-sync',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--disable-breakpad',
    '--hide-scrollbars',
    '--mute-audio',
    '--renderer-process-limit=1',
    '--blink-settings=scriptEnabled=false',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--proxy-server=http://0.0.0.0:1',
    '--proxy-bypass-list=<-loopback>',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    // Chromium has no sandbox for root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    'about:blank',
  ]
  // Without the environment, which holds the secrets of the installation. A group of its own can be ended as a whole.
  return spawn('/bin/sh', ['-c', `${LIMITS}; exec nice -n 19 "$0" "$@"`, program, ...flags], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: profile, TMPDIR: profile, LANG: 'C.UTF-8' },
    cwd: profile,
    detached: true,
  })
}

function endAll({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // They have ended.
  }
}

function connect(child: ChildProcess): Chromium {
  const [input, output] = [child.stdio[3] as Writable, child.stdio[4] as Readable]
  const waiting = new Map<
    number,
    { resolve(result: Record<string, unknown>): void; reject(error: Error): void }
  >()
  const listeners: ((event: ChromiumEvent) => void)[] = []
  let last = 0

  const receive = (text: string) => {
    const message = JSON.parse(text)
    const call = waiting.get(message.id)
    if (!call) {
      if (typeof message.method === 'string') for (const listener of listeners) listener(message)
      return
    }
    waiting.delete(message.id)
    if (message.error) call.reject(new Error(`Chromium: ${message.error.message}`))
    else call.resolve(message.result)
  }
  readMessages(output, receive)
  // The end of the process is noticed elsewhere.
  input.on('error', () => {})

  return {
    send(method, params = {}, sessionId) {
      last += 1
      const id = last
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
      })
    },
    listen: listener => void listeners.push(listener),
  }
}

/** Messages end with a zero byte. */
function readMessages(output: Readable, receive: (text: string) => void): void {
  let chunks: Buffer[] = []
  let size = 0
  output.on('error', () => {})
  output.on('data', (data: Buffer) => {
    let rest = data
    for (let end = rest.indexOf(0); end !== -1; end = rest.indexOf(0)) {
      receive(Buffer.concat([...chunks, rest.subarray(0, end)]).toString())
      rest = rest.subarray(end + 1)
      chunks = []
      size = 0
    }
    chunks.push(rest)
    size += rest.length
    if (size > MESSAGE_BYTES) output.destroy()
  })
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(new Error('Chromium took too long or was stopped'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}

function whenFailed(child: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    child.once('error', reject)
    child.once('exit', code => reject(new Error(`Chromium ended with ${code}`)))
  })
}
