import type { MailFault } from '../mail-fault.ts'

/** An edit that is not possible without damage elsewhere; `fault` says why to the user. */
export class EditError extends Error {
  override readonly name = 'EditError'
  readonly fault: MailFault

  constructor(fault: MailFault) {
    super(fault.message)
    this.fault = fault
  }
}
