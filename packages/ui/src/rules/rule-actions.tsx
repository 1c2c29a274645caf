import {
  IconArrowDown,
  IconArrowUp,
  IconCopy,
  IconDots,
  IconFolder,
  IconLock,
  IconLockOpen,
  IconX,
} from '@tabler/icons-react'
import { combinators } from '@emma/contract/rules.ts'
import type { ReactNode } from 'react'
import {
  type ActionProps,
  type RuleGroupTypeAny,
  getParentPath,
  insert,
  isRuleGroup,
  move,
  pathIsDisabled,
  remove,
  update,
} from 'react-querybuilder'
import type { RowAction } from '../list/list-parts.ts'
import { type Translate, useTranslate } from '../i18n.tsx'
import { useRuleBuilder } from './rule-builder-context.ts'
import classes from './rule-builder.module.css'
import { pathText } from './rule-selects.tsx'

/**
 * Actions of a rule or a group: a remove button, and a menu of the others. Actions forbidden by a locked ancestor are
 * not offered (R286).
 */
export function RuleActions(props: ActionProps): ReactNode {
  const { path, schema, ruleOrGroup, disabled = false } = props
  const t = useTranslate()
  const { openMenu, focusAfter, isDisabled } = useRuleBuilder()
  // The builder has no query during its first render.
  const query: unknown = schema.getQuery()
  const isLockedAbove = isDisabled || (isRuleGroup(query) && pathIsDisabled(getParentPath(path), query))
  const isGroup = isRuleGroup(ruleOrGroup)
  return (
    <span className={classes.actions}>
      {ruleOrGroup.disabled && <IconLock className={classes.lock} size={14} aria-hidden />}
      <button
        type="button"
        className={classes.icon}
        data-part="menu"
        aria-label={t('action.more')}
        aria-haspopup="menu"
        disabled={isLockedAbove}
        onClick={({ currentTarget: button }) =>
          openMenu(
            button,
            menuOf(props, t, next => {
              focusAfter(changedRule(props, button))
              schema.dispatchQuery(next(schema.getQuery()))
            }),
          )
        }
      >
        <IconDots size={16} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.icon}
        data-part="remove"
        aria-label={t(isGroup ? 'rules.remove_group' : 'rules.remove_rule')}
        disabled={disabled}
        onClick={({ currentTarget: button }) => {
          focusAfter(placeOfRemoved(props, button))
          schema.dispatchQuery(remove(schema.getQuery(), path))
        }}
      >
        <IconX size={16} aria-hidden />
      </button>
    </span>
  )
}

/** The first combinator is the default (R283). */
const [firstCombinator] = combinators

type Edit = (query: RuleGroupTypeAny) => RuleGroupTypeAny

function menuOf(props: ActionProps, t: Translate, change: (next: Edit) => void): RowAction[] {
  const { path, schema, ruleOrGroup, disabled = false } = props
  const query = schema.getQuery()
  const isGroup = isRuleGroup(ruleOrGroup)
  const parentPath = getParentPath(path)
  const index = path.at(-1) ?? 0
  const isLast = path.length === 1 && index === query.rules.length - 1
  const edit = (id: string, label: string, icon: ReactNode, next: Edit) => ({
    id,
    label,
    icon,
    run: () => change(next),
  })
  const movements = [
    path.length > 1 || index > 0
      ? edit('up', t('rules.move_up'), <IconArrowUp size={16} />, at => move(at, path, 'up'))
      : null,
    isLast
      ? null
      : edit('down', t('rules.move_down'), <IconArrowDown size={16} />, at => move(at, path, 'down')),
    edit('clone', t(isGroup ? 'rules.clone_group' : 'rules.clone_rule'), <IconCopy size={16} />, at =>
      move(at, path, [...parentPath, index + 1], { clone: true }),
    ),
    isGroup || path.length > schema.maxLevels
      ? null
      : edit('group', t('rules.group_rule'), <IconFolder size={16} />, at =>
          insert(at, { combinator: firstCombinator, rules: [ruleOrGroup] }, path, { replace: true }),
        ),
  ]
  const isLocked = ruleOrGroup.disabled === true
  const locking = edit(
    'lock',
    lockLabel(isGroup, isLocked, t),
    isLocked ? <IconLockOpen size={16} /> : <IconLock size={16} />,
    at => update(at, 'disabled', !isLocked, path),
  )
  return [...(disabled ? [] : movements.filter(action => action !== null)), locking]
}

function lockLabel(isGroup: boolean, isLocked: boolean, t: Translate): string {
  if (isGroup) return t(isLocked ? 'rules.unlock_group' : 'rules.lock_group')
  return t(isLocked ? 'rules.unlock_rule' : 'rules.lock_rule')
}

/** Returns a function that finds the rule's menu button after it moved. */
function changedRule({ path, ruleOrGroup }: ActionProps, button: HTMLElement) {
  const builder = button.closest<HTMLElement>(`.${classes.builder}`)
  const name = CSS.escape(ruleOrGroup.id ?? '')
  return () => {
    const moved = builder?.querySelector(`[data-rule-id="${name}"], [data-rule-group-id="${name}"]`)
    const here = builder?.querySelector(`[data-path='${pathText(path)}']`)
    return (moved ?? here)?.querySelector<HTMLElement>('[data-part="menu"]')
  }
}

/** Returns a function that finds the rule in the place of a removed one, or an add button if that is locked. */
function placeOfRemoved({ path }: ActionProps, button: HTMLElement) {
  const place = `[data-path='${pathText(path)}']`
  const parent = button.closest(place)?.parentElement
  return () =>
    parent?.querySelector(place)?.querySelector<HTMLElement>('[data-part="remove"]:enabled') ??
    // The last add button belongs to the group itself; those of nested groups come before.
    [...(parent?.querySelectorAll<HTMLElement>('[data-part="add"]') ?? [])].at(-1)
}
