import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BlacklistChoice } from './blacklist-choice.tsx'

/** Adds pasted entries to a blacklist of the client. */
export default function BlacklistAddGlobal(): ReactNode {
  const { t } = useTranslation()
  return <BlacklistChoice kind="client" title={t('screens.client_blacklist_add')} then="add" />
}
