import { type MailFault, type MailFaultCode, mailFault } from '../mail-fault.ts'

/** An edit that is not possible without damage elsewhere; `fault` says why to the user. */
export class EditError extends Error {
  override readonly name = 'EditError'
  readonly fault: MailFault

  constructor(fault: MailFault) {
    super(fault.message)
    this.fault = fault
  }
}

/** Returns the error of a fault. */
export function editError<Code extends MailFaultCode>(
  ...fault: Parameters<typeof mailFault<Code>>
): EditError {
  return new EditError(mailFault<Code>(...fault))
}
