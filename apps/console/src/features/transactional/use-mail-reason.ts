import type { LoggedMail } from '@emma/contract/actions/transactional.ts'
import { useTranslation } from 'react-i18next'
import { textOfFault } from '../../shell/i18n/text-of-fault.ts'

/** Returns why an email was not sent, or what the receiving server replied. */
export function useMailReason(): (
  mail: Pick<LoggedMail, 'fault' | 'skip_reason' | 'reply'>,
) => string | null {
  const { t } = useTranslation()
  return ({ fault, skip_reason: skip, reply }) => {
    if (fault !== null) return textOfFault(fault)
    return skip === null ? reply : t(`skip_reason.${skip}`)
  }
}
