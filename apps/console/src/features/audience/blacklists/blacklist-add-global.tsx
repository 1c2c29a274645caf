import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BlacklistChoice } from './blacklist-choice.tsx'

/** Puts pasted entries onto a blacklist of the client. */
export default function BlacklistAddGlobal(): ReactNode {
  const { t } = useTranslation()
  return <BlacklistChoice kind="client" title={t('screens.client_blacklist_add')} then="add" />
}
