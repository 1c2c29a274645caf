import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'

/**
 * Load generator of `bench/tracking.ts`: sends requests at a fixed rate, independent of the responses. Reads its plan as JSON
 * from standard input. Latency is measured from the scheduled time, so queueing counts. The last line is JSON: number of
 * responses, and percentiles in ms.
 */
const plan = z
  .object({
    port: z.number(),
    /** Request headers, sent in rotation. */
    requests: z.array(z.string()),
    connections: z.number(),
    perSecond: z.number(),
    seconds: z.number(),
    /** Required status of each response. */
    status: z.string(),
  })
  .parse(JSON.parse(await readInput()))

interface Line {
  socket: Socket
  /** Scheduled times of all requests of the connection, oldest first. */
  due: number[]
  answered: number
  bytes: number
}

const times: number[] = []
let answerBytes = 0
const lines = await Promise.all(Array.from({ length: plan.connections }, openLine))
const started = performance.now()
const total = Math.round(plan.perSecond * plan.seconds)
let asked = 0
while (asked < total) {
  const wanted = Math.min(total, Math.floor(((performance.now() - started) / 1_000) * plan.perSecond))
  ask(wanted - asked)
  await sleep(2)
}
const deadline = performance.now() + 10_000
while (times.length < total && performance.now() < deadline) await sleep(10)
for (const { socket } of lines) socket.destroy()
if (times.length < total) throw new Error(`${total - times.length} requests were not answered`)
const sorted = Float64Array.from(times).toSorted()
const at = (share: number) => Number((sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2))
console.log(
  JSON.stringify({ answers: times.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), worst: at(0.999999) }),
)

/** Sends `count` requests, divided over the connections, with one write per connection. */
function ask(count: number): void {
  const first = asked
  const share = Math.ceil(count / lines.length)
  for (let sent = 0; sent < count; sent += share) {
    const line = lines[Math.floor((first + sent) / share) % lines.length]
    let text = ''
    for (let index = first + sent; index < Math.min(first + sent + share, first + count); index++) {
      line?.due.push(started + (index / plan.perSecond) * 1_000)
      text += plan.requests[index % plan.requests.length] ?? ''
    }
    line?.socket.write(text, 'latin1')
  }
  asked += count
}

async function openLine(): Promise<Line> {
  const socket = connect(plan.port, '127.0.0.1')
  socket.setNoDelay()
  const line: Line = { socket, due: [], answered: 0, bytes: 0 }
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  answerBytes ||= await learnLength(socket)
  socket.on('data', chunk => take(line, chunk))
  return line
}

/** Returns the length of a response. Responses differ only in their date, so all have the length of the first. */
async function learnLength(socket: Socket): Promise<number> {
  socket.write(plan.requests[0] ?? '', 'latin1')
  return new Promise(resolve => socket.once('data', chunk => resolve(chunk.length)))
}

function take(line: Line, chunk: Buffer): void {
  const now = performance.now()
  if (line.bytes % answerBytes === 0 && chunk.toString('latin1', 9, 12) !== plan.status)
    throw new Error(`not ${plan.status}: ${chunk.toString('latin1', 0, 80)}`)
  line.bytes += chunk.length
  const complete = Math.floor(line.bytes / answerBytes)
  for (; line.answered < complete; line.answered++) times.push(now - (line.due[line.answered] ?? now))
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}
