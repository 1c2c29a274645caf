import { placementHeader } from '@emma/contract/placements.ts'
import type { Arrival } from '@emma/core/deliverability/placement/awaited-mails.ts'
import { openMailboxes } from '@emma/testbed/mailboxes.ts'
import type { OpenMailbox } from './mailbox.ts'

/** Newest mails of a mailbox that are looked at. */
const MOST_MAILS = 200

const folders = { inbox: 'inbox', promotions: 'promotions', spam: 'spam' } as const

/** A mailbox of the testbed, read from its store. */
export function openTestbedMailbox(folder: string, email: string): OpenMailbox {
  const mailboxes = openMailboxes(folder)
  return {
    async listFolders() {
      return { names: Object.values(folders), found: folders }
    },
    async find(tokens) {
      const found = new Map<string, Arrival>()
      for (const row of mailboxes.listMessages({ mailbox: email, limit: MOST_MAILS }).rows) {
        const source = mailboxes.getSource(row.id)
        const token = source && tokens.find(each => source.includes(`${placementHeader}: ${each}\r\n`))
        if (!source || token === null || token === undefined || found.has(token)) continue
        const message = await mailboxes.getMessage(row.id)
        const { spf = null, dkim = [], dmarc = null } = message?.verdict ?? {}
        found.set(token, {
          placement: row.folder === 'spam' || row.folder === 'promotions' ? row.folder : 'inbox',
          folder: row.folder,
          arrivedAt: row.receivedAt,
          source,
          noted: {
            spf: spf?.result ?? null,
            dkim: dkim[0]?.result ?? null,
            dmarc: dmarc?.result ?? null,
            receivedIp: '127.0.0.1',
          },
        })
      }
      return found
    },
    async close() {
      mailboxes.close()
    },
  }
}
