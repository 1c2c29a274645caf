import { type ShownMotd, dismissMotd } from '@emma/contract/actions/guidance.ts'
import { Dialog } from '@emma/ui/feedback/dialog.tsx'
import { Button, Group } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../api.ts'
import { showError } from '../error-text.ts'
import { CleanHtml } from './clean-html.tsx'
import { refreshGuidance } from './guidance-query.ts'
import { inLanguage } from './in-language.ts'
import { MotdBanner } from './motd-banner.tsx'

interface MotdAreaProps {
  messages: readonly ShownMotd[]
  /** Told whether a message stands in front of the screen. */
  onModal: (isOpen: boolean) => void
}

/** Messages of the day (R236): banners above the screen, and one modal after the other. Closing one is for good. */
export function MotdArea({ messages, onModal }: MotdAreaProps): ReactNode {
  const { t, i18n } = useTranslation()
  const [closed, setClosed] = useState<readonly number[]>([])
  const open = messages.filter(({ id }) => !closed.includes(id))
  const modal = open.find(({ modal_size }) => modal_size !== null)
  const banners = open.filter(({ modal_size }) => modal_size === null)
  const isModalOpen = modal !== undefined
  useEffect(() => onModal(isModalOpen), [isModalOpen, onModal])

  function dismiss({ id }: ShownMotd): void {
    setClosed(current => [...current, id])
    api.call(dismissMotd, { params: { id } }).then(refreshGuidance, showError)
  }

  return (
    <>
      {banners.map(message => (
        <MotdBanner key={message.id} message={message} onDismiss={() => dismiss(message)} />
      ))}
      {modal && (
        <Dialog
          isOpen
          isStatic
          size={modal.modal_size ?? 'lg'}
          title={inLanguage(modal, 'title', i18n.resolvedLanguage)}
          onClose={() => dismiss(modal)}
        >
          <CleanHtml html={inLanguage(modal, 'html', i18n.resolvedLanguage)} />
          <Group justify="flex-end" mt="lg">
            <Button data-autofocus onClick={() => dismiss(modal)}>
              {t('messages.understood')}
            </Button>
          </Group>
        </Dialog>
      )}
    </>
  )
}
