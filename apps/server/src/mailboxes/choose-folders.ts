import type { FoundFolders } from '@emma/contract/actions/placement.ts'
import { fault } from '@emma/contract/faults.ts'
import type { Arrival, MailboxServer } from '@emma/core/deliverability/placement/awaited-mails.ts'
import { MailboxFault } from './mailbox.ts'

export interface Folder {
  path: string
  /** Use of the folder (RFC 6154), `\Junk`, also if it is recognized by its name. */
  specialUse: string | null
}

/** Folders without received mail, or with copies of mail in others. */
const notSearched = new Set(['\\All', '\\Sent', '\\Drafts', '\\Flagged', '\\Important'])

/**
 * Returns the folders of the settings, and those found by their use.
 * @throws MailboxFault for a folder of the settings that is not there
 */
export function findFolders(
  server: Pick<MailboxServer, 'inbox_folder' | 'spam_folder' | 'promo_folder'>,
  folders: readonly Folder[],
): FoundFolders {
  const named = (name: string) => {
    const folder = folders.find(({ path }) => path.toLowerCase() === name.toLowerCase())
    if (!folder) throw new MailboxFault(fault('imap.folder', { folder: name }))
    return folder.path
  }
  const used = (use: string) => folders.find(({ specialUse }) => specialUse === use)?.path ?? null
  const inbox = folders.find(({ path }) => path.toUpperCase() === 'INBOX')?.path ?? null
  const found = {
    inbox: server.inbox_folder ? named(server.inbox_folder) : inbox,
    spam: server.spam_folder ? named(server.spam_folder) : used('\\Junk'),
    promotions: server.promo_folder ? named(server.promo_folder) : null,
  }
  if (found.inbox === null) throw new MailboxFault(fault('imap.no_inbox'))
  return found
}

/** Folders to search with what a mail in them means, the chosen ones first, at most `most`. */
export function chooseFolders(
  { inbox, spam, promotions }: FoundFolders,
  folders: readonly Folder[],
  most: number,
): { path: string; placement: Arrival['placement'] }[] {
  const chosen = [
    { path: inbox, placement: 'inbox' },
    { path: promotions, placement: 'promotions' },
    { path: spam, placement: 'spam' },
  ] as const
  const known = chosen.flatMap(({ path, placement }) => (path === null ? [] : [{ path, placement }]))
  const others = folders
    .filter(
      ({ path, specialUse }) => !notSearched.has(specialUse ?? '') && !known.some(each => each.path === path),
    )
    .map(({ path }) => ({ path, placement: 'other' as const }))
  return [...known, ...others].slice(0, most)
}
