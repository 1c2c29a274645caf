import { ActionIcon, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslate } from '../i18n.tsx'
import classes from './rule-builder.module.css'
import type { UndoableQuery } from './use-query-history.ts'

/** Undo and redo buttons. */
export function RuleTools({ undo, redo }: Pick<UndoableQuery, 'undo' | 'redo'>): ReactNode {
  const t = useTranslate()
  return (
    <div className={classes.tools} role="toolbar" aria-label={t('rules.tools')}>
      <Tool label={t('action.undo')} keys="Control+Z" run={undo} icon={<IconArrowBackUp size={16} />} />
      <Tool
        label={t('action.redo')}
        keys="Control+Shift+Z"
        run={redo}
        icon={<IconArrowForwardUp size={16} />}
      />
    </div>
  )
}

function Tool(props: { label: string; keys: string; run: (() => void) | null; icon: ReactNode }): ReactNode {
  const { label, keys, run, icon } = props
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-keyshortcuts={keys}
        // Not `disabled`, which would lose the focus after the last step.
        aria-disabled={run === null}
        className={classes.tool}
        onClick={() => run?.()}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  )
}
