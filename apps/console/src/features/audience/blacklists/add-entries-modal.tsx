import { addBlacklistEntries } from '@emma/contract/actions/audience.ts'
import { blacklist } from '@emma/contract/resources/blacklist.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../../shell/session/api.ts'
import { refresh } from '../../../shell/resource/record-calls.ts'
import type { Blacklist } from './blacklist-kinds.ts'
import { EntriesForm } from './entries-form.tsx'

interface AddEntriesModalProps {
  list: Blacklist
  onClose: () => void
}

/** Dialog that adds addresses, domains or hashes to a blacklist. */
export function AddEntriesModal({ list, onClose }: AddEntriesModalProps): ReactNode {
  const { t } = useTranslation()
  return (
    <Dialog isOpen onClose={onClose} title={t('audience.blacklist.add_title', { name: list.name })} size="lg">
      <EntriesForm
        label={t('audience.blacklist.entry.value')}
        description={t(`audience.blacklist.match_texts.${list.match}`)}
        placeholder={t(`audience.blacklist.examples.${list.match}`)}
        add={async body => {
          const counts = await api.call(addBlacklistEntries, { params: { id: list.blacklist_id }, body })
          await refresh(blacklist)
          return counts
        }}
        onAdded={onClose}
      />
    </Dialog>
  )
}
