import type { TemplateFormat, TemplateNode } from '@emma/mail/edit/template-tree.ts'
import { notify } from '@emma/ui/feedback/notify.tsx'
import { ActionIcon, Button, Group, Menu, Tooltip } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowForwardUp,
  IconArrowUp,
  IconClipboard,
  IconClipboardCopy,
  IconCopy,
  IconCut,
  IconLayoutList,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BlockActions } from './block-actions.ts'
import { blockNames } from './blocks.ts'
import type { Design } from './use-design.ts'

interface BlockToolbarProps {
  design: Design
  format: TemplateFormat
  actions: BlockActions
  onText: (node: TemplateNode) => void
  /** Opens the library of sections. */
  onLibrary: () => void
}

/** Blocks that only MJML has. */
const mjmlBlocks = new Set<string>([
  'social',
  'menu',
  ...blockNames.filter(name => name.startsWith('columns_')),
  'section',
])

/** Adds blocks and changes the selected one. */
export function BlockToolbar({ design, format, actions, onText, onLibrary }: BlockToolbarProps): ReactNode {
  const { t } = useTranslation()
  const { selected, undo, redo } = design
  const names = blockNames.filter(name => format === 'mjml' || !mjmlBlocks.has(name))
  const write = (source: string | null) =>
    source === null ? undefined : navigator.clipboard.writeText(source).catch(deny)
  const paste = () => navigator.clipboard.readText().then(actions.paste, deny)
  const deny = () => notify.warning(t('content.design.clipboard_denied'))
  return (
    <Group gap={4}>
      <Menu position="bottom-start" width={220}>
        <Menu.Target>
          <Button size="xs" leftSection={<IconPlus size={14} />}>
            {t('content.design.add')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {names.map(name => (
            <Menu.Item key={name} onClick={() => actions.add(name)}>
              {t(`content.design.blocks.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="xs" variant="default" leftSection={<IconLayoutList size={14} />} onClick={onLibrary}>
        {t('content.design.library')}
      </Button>
      <Tool label={t('content.design.undo')} onClick={undo} icon={<IconArrowBackUp size={16} />} />
      <Tool label={t('content.design.redo')} onClick={redo} icon={<IconArrowForwardUp size={16} />} />
      <Tool
        label={t('content.design.edit_text')}
        onClick={selected && (() => onText(selected))}
        icon={<IconPencil size={16} />}
      />
      <Tool
        label={t('content.design.move_up')}
        onClick={selected && actions.moveUp}
        icon={<IconArrowUp size={16} />}
      />
      <Tool
        label={t('content.design.move_down')}
        onClick={selected && actions.moveDown}
        icon={<IconArrowDown size={16} />}
      />
      <Tool
        label={t('content.design.duplicate')}
        onClick={selected && actions.duplicate}
        icon={<IconCopy size={16} />}
      />
      <Tool
        label={t('content.design.cut')}
        onClick={selected && (() => void write(actions.cut()))}
        icon={<IconCut size={16} />}
      />
      <Tool
        label={t('content.design.copy')}
        onClick={selected && (() => void write(actions.copy()))}
        icon={<IconClipboardCopy size={16} />}
      />
      <Tool
        label={t('content.design.paste')}
        onClick={() => void paste()}
        icon={<IconClipboard size={16} />}
      />
      <Tool
        label={t('content.design.remove')}
        onClick={selected && actions.remove}
        icon={<IconTrash size={16} />}
      />
    </Group>
  )
}

interface ToolProps {
  label: string
  icon: ReactNode
  /** Null: not possible now. */
  onClick: (() => void) | null
}

export function Tool({ label, icon, onClick }: ToolProps): ReactNode {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        disabled={onClick === null}
        onClick={() => onClick?.()}
        // Keeps the selection of the text that is being edited.
        onMouseDown={event => event.preventDefault()}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
