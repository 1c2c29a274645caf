import { Button, Group, Popover, TextInput } from '@mantine/core'
import { IconBold, IconItalic, IconLink, IconUnderline, IconUnlink } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PlaceholderMenu } from '../placeholders/placeholder-menu.tsx'
import type { PlaceholderLink } from '../placeholders/use-placeholders.ts'
import { Tool } from './block-toolbar.tsx'
import { placeholderHtml } from './text-source.ts'
import type { TextEditing } from './use-text-editing.ts'

interface TextToolbarProps {
  text: TextEditing
  memberTableId: number | null
  links?: readonly PlaceholderLink[] | undefined
}

/** Formats the text that is being edited. */
export function TextToolbar({ text, memberTableId, links }: TextToolbarProps): ReactNode {
  const { t } = useTranslation()
  const [url, setUrl] = useState<string | null>(null)
  const link = () => {
    if (url?.trim()) text.run('createLink', url.trim())
    setUrl(null)
  }
  return (
    <Group gap={4}>
      <Tool label={t('content.design.bold')} onClick={() => text.run('bold')} icon={<IconBold size={16} />} />
      <Tool
        label={t('content.design.italic')}
        onClick={() => text.run('italic')}
        icon={<IconItalic size={16} />}
      />
      <Tool
        label={t('content.design.underline')}
        onClick={() => text.run('underline')}
        icon={<IconUnderline size={16} />}
      />
      <Popover opened={url !== null} onChange={() => setUrl(null)} trapFocus position="bottom-start">
        <Popover.Target>
          <span>
            <Tool
              label={t('content.design.link')}
              onClick={() => setUrl('https://')}
              icon={<IconLink size={16} />}
            />
          </span>
        </Popover.Target>
        <Popover.Dropdown>
          <Group gap={6}>
            <TextInput
              size="xs"
              w={260}
              aria-label={t('content.design.attributes.href')}
              value={url ?? ''}
              onChange={event => setUrl(event.currentTarget.value)}
              onKeyDown={event => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                link()
              }}
            />
            <Button size="xs" onClick={link}>
              {t('content.design.apply')}
            </Button>
          </Group>
        </Popover.Dropdown>
      </Popover>
      <Tool
        label={t('content.design.unlink')}
        onClick={() => text.run('unlink')}
        icon={<IconUnlink size={16} />}
      />
      <PlaceholderMenu
        memberTableId={memberTableId}
        {...(links ? { links } : {})}
        onPick={liquid => text.run('insertHTML', liquid.startsWith('{{') ? placeholderHtml(liquid) : liquid)}
      />
      <Button size="xs" onClick={text.close}>
        {t('content.design.done')}
      </Button>
    </Group>
  )
}
