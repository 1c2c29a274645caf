import { readFileSync } from 'node:fs'
import { describeAgent } from '@emma/mail/agent/describe-agent.ts'
import { classifyEvent } from '@emma/mail/agent/classify-event.ts'
import { z } from 'zod'

/**
 * `npm run bench:agents -- FILE [wrong]`: classifies the user agents of a JSON array of `{ agent, device, bot }`, where
 * `device` is `desktop`, `phone`, `tablet` or `television`. With `wrong` it prints the misclassified ones. The last line is
 * JSON: the correct share of each device, and of bots whose click is not classified as human.
 */
const samples = z
  .array(z.object({ agent: z.string(), device: z.string(), bot: z.boolean() }))
  .parse(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
const showsWrong = process.argv[3] === 'wrong'

/** Labels whose device has another name in reports; televisions count as `other`. */
const deviceOf: Record<string, string> = { phone: 'mobile', television: 'other' }
const counts = new Map<string, { all: number; right: number }>()
for (const { agent, device, bot } of samples) {
  const judged = bot ? verdictOf(agent) : describeAgent(agent).device
  const isRight = bot ? judged !== 'human' : judged === (deviceOf[device] ?? device)
  const name = bot ? 'bot' : device
  const count = counts.get(name) ?? { all: 0, right: 0 }
  counts.set(name, { all: count.all + 1, right: count.right + Number(isRight) })
  if (!isRight && showsWrong) console.log(`${name}\t${judged}\t${agent}`)
}
for (const [name, { all, right }] of counts) console.log(`${name.padEnd(12)} ${right} of ${all}`)
console.log(
  JSON.stringify(Object.fromEntries([...counts].map(([name, { all, right }]) => [name, right / all]))),
)

function verdictOf(userAgent: string): string {
  return classifyEvent({ kind: 'click', userAgent, ip: '203.0.113.9', msSinceSent: 60_000, method: 'GET' })
    .verdict
}
