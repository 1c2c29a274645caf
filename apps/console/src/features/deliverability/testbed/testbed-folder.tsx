import { testbedFolders } from '@emma/contract/actions/deliverability.ts'
import { IconAlertOctagon, IconInbox, IconTag } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './testbed.module.css'

const icons = { inbox: IconInbox, promotions: IconTag, spam: IconAlertOctagon }

/** Badge of the folder that the message was delivered to. */
export function FolderMark({ folder }: { folder: string }): ReactNode {
  const { t } = useTranslation()
  const known = testbedFolders.find(each => each === folder) ?? 'inbox'
  const Icon = icons[known]
  return (
    <span className={classes.folder} data-folder={known}>
      <Icon size={13} stroke={1.8} aria-hidden />
      {t(`deliverability.testbed.folders.${known}`)}
    </span>
  )
}
