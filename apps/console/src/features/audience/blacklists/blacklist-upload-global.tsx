import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BlacklistChoice } from './blacklist-choice.tsx'

/** Imports a file into a blacklist of the client. */
export default function BlacklistUploadGlobal(): ReactNode {
  const { t } = useTranslation()
  return <BlacklistChoice kind="client" title={t('screens.client_blacklist_import')} then="upload" />
}
