import type { FoundFolders } from '@emma/contract/actions/placement.ts'
import type { Fault } from '@emma/contract/faults.ts'
import type { Arrival } from '@emma/core/deliverability/placement/awaited-mails.ts'

/** A test mailbox that is logged in to. */
export interface OpenMailbox {
  listFolders(): Promise<{ names: string[]; found: FoundFolders }>
  /**
   * Searches all folders for mails of placement checks.
   * @returns what was found, by token
   * @throws MailboxFault if a folder of the settings is missing
   */
  find(tokens: readonly string[]): Promise<Map<string, Arrival>>
  close(): Promise<void>
}

/** Thrown if a mailbox cannot be read. */
export class MailboxFault extends Error {
  override name = 'MailboxFault'
  readonly fault: Fault

  constructor(fault: Fault, cause?: unknown) {
    super(fault.message, { cause })
    this.fault = fault
  }
}
