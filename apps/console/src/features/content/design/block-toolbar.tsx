import type { TemplateFormat } from '@emma/mail/edit/template-tree.ts'
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
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { BlockActions } from './block-actions.ts'
import { blockNames } from './blocks.ts'
import type { Design } from './use-design.ts'

interface BlockToolbarProps {
  format: TemplateFormat
  hasSelection: boolean
  canUndo: boolean
  canRedo: boolean
  /** The current actions; the same function each time. */
  now: () => ToolbarActions
}

interface ToolbarActions extends BlockActions, Pick<Design, 'undo' | 'redo'> {
  /** Edits the text of the selected block. */
  editText: () => void
  openLibrary: () => void
}

/** Blocks that only MJML has. */
const mjmlBlocks = new Set<string>([
  'social',
  'menu',
  ...blockNames.filter(name => name.startsWith('columns_')),
  'section',
])

/** Adds blocks and changes the selected one. */
export const BlockToolbar = memo(function BlockToolbar(props: BlockToolbarProps): ReactNode {
  const { format, hasSelection, canUndo, canRedo, now } = props
  const { t } = useTranslation()
  const names = blockNames.filter(name => format === 'mjml' || !mjmlBlocks.has(name))
  const write = (source: string | null) =>
    source === null ? undefined : navigator.clipboard.writeText(source).catch(deny)
  const paste = () => navigator.clipboard.readText().then(text => now().paste(text), deny)
  const onSelected = (run: (actions: ToolbarActions) => void) => (hasSelection ? () => run(now()) : null)
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
            <Menu.Item key={name} onClick={() => now().add(name)}>
              {t(`content.design.blocks.${name}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconLayoutList size={14} />}
        onClick={() => now().openLibrary()}
      >
        {t('content.design.library')}
      </Button>
      <Tool
        label={t('content.design.undo')}
        onClick={canUndo ? () => now().undo?.() : null}
        icon={<IconArrowBackUp size={16} />}
      />
      <Tool
        label={t('content.design.redo')}
        onClick={canRedo ? () => now().redo?.() : null}
        icon={<IconArrowForwardUp size={16} />}
      />
      <Tool
        label={t('content.design.edit_text')}
        onClick={onSelected(actions => actions.editText())}
        icon={<IconPencil size={16} />}
      />
      <Tool
        label={t('content.design.move_up')}
        onClick={onSelected(actions => actions.moveUp())}
        icon={<IconArrowUp size={16} />}
      />
      <Tool
        label={t('content.design.move_down')}
        onClick={onSelected(actions => actions.moveDown())}
        icon={<IconArrowDown size={16} />}
      />
      <Tool
        label={t('content.design.duplicate')}
        onClick={onSelected(actions => actions.duplicate())}
        icon={<IconCopy size={16} />}
      />
      <Tool
        label={t('content.design.cut')}
        onClick={onSelected(actions => void write(actions.cut()))}
        icon={<IconCut size={16} />}
      />
      <Tool
        label={t('content.design.copy')}
        onClick={onSelected(actions => void write(actions.copy()))}
        icon={<IconClipboardCopy size={16} />}
      />
      <Tool
        label={t('content.design.paste')}
        onClick={() => void paste()}
        icon={<IconClipboard size={16} />}
      />
      <Tool
        label={t('content.design.remove')}
        onClick={onSelected(actions => actions.remove())}
        icon={<IconTrash size={16} />}
      />
    </Group>
  )
})

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
