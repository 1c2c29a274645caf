import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BlacklistChoice } from './blacklist-choice.tsx'

/** Imports a file into a blacklist of campaigns. */
export default function BlacklistUploadCampaign(): ReactNode {
  const { t } = useTranslation()
  return <BlacklistChoice kind="campaign" title={t('screens.blacklist_import')} then="upload" />
}
