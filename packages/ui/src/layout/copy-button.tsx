import { ActionIcon, CopyButton as MantineCopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'

export interface CopyButtonProps {
  value: string
  /** Accessible name: "Copy DKIM record". */
  label?: string
}

/** Copies a text to the clipboard and confirms it. */
export function CopyButton({ value, label }: CopyButtonProps): ReactNode {
  const t = useTranslate()
  return (
    <MantineCopyButton value={value} timeout={1800}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t('action.copied') : (label ?? t('action.copy'))}>
          <ActionIcon
            variant="subtle"
            color={copied ? 'green' : 'gray'}
            size="sm"
            aria-label={label ?? t('action.copy')}
            onClick={copy}
          >
            {copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopyButton>
  )
}
