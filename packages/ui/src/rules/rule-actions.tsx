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
  type Path,
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
import { type Say, useSay } from '../words.tsx'
import { useRuleBuilder } from './rule-builder-context.ts'
import classes from './rule-builder.module.css'
import { pathText } from './rule-selects.tsx'

/**
 * What can be done with a rule or a group: removed by its own button, everything else by its menu. What a lock
 * above it forbids is not offered (R286).
 */
export function RuleActions(props: ActionProps): ReactNode {
  const { path, schema, ruleOrGroup, disabled = false } = props
  const say = useSay()
  const { openMenu, isDisabled } = useRuleBuilder()
  // At the very first drawing the builder has no query yet.
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
        aria-label={say('action.more')}
        aria-haspopup="menu"
        disabled={isLockedAbove}
        onClick={event => openMenu(event.currentTarget, menuOf(props, event.currentTarget, say))}
      >
        <IconDots size={16} aria-hidden />
      </button>
      <button
        type="button"
        className={classes.icon}
        data-part="remove"
        aria-label={say(isGroup ? 'rules.remove_group' : 'rules.remove_rule')}
        disabled={disabled}
        onClick={event => change(props, event.currentTarget, query => remove(query, path), path)}
      >
        <IconX size={16} aria-hidden />
      </button>
    </span>
  )
}

/** The default is the first of the list (R283). */
const [firstCombinator] = combinators

function menuOf(props: ActionProps, button: HTMLElement, say: Say): RowAction[] {
  const { path, schema, ruleOrGroup, disabled = false } = props
  const query = schema.getQuery()
  const isGroup = isRuleGroup(ruleOrGroup)
  const parentPath = getParentPath(path)
  const index = path.at(-1) ?? 0
  const isLast = path.length === 1 && index === query.rules.length - 1
  const edit = (
    id: string,
    label: string,
    icon: ReactNode,
    next: (query: RuleGroupTypeAny) => RuleGroupTypeAny,
  ) => ({
    id,
    label,
    icon,
    run: () => change(props, button, next, null),
  })
  const movements = [
    path.length > 1 || index > 0
      ? edit('up', say('rules.move_up'), <IconArrowUp size={16} />, at => move(at, path, 'up'))
      : null,
    isLast
      ? null
      : edit('down', say('rules.move_down'), <IconArrowDown size={16} />, at => move(at, path, 'down')),
    edit('clone', say(isGroup ? 'rules.clone_group' : 'rules.clone_rule'), <IconCopy size={16} />, at =>
      move(at, path, [...parentPath, index + 1], { clone: true }),
    ),
    isGroup || path.length > schema.maxLevels
      ? null
      : edit('group', say('rules.group_rule'), <IconFolder size={16} />, at =>
          insert(at, { combinator: firstCombinator, rules: [ruleOrGroup] }, path, { replace: true }),
        ),
  ]
  const isLocked = ruleOrGroup.disabled === true
  const locking = edit(
    'lock',
    lockLabel(isGroup, isLocked, say),
    isLocked ? <IconLockOpen size={16} /> : <IconLock size={16} />,
    at => update(at, 'disabled', !isLocked, path),
  )
  return [...(disabled ? [] : movements.filter(action => action !== null)), locking]
}

function lockLabel(isGroup: boolean, isLocked: boolean, say: Say): string {
  if (isGroup) return say(isLocked ? 'rules.unlock_group' : 'rules.lock_group')
  return say(isLocked ? 'rules.unlock_rule' : 'rules.lock_rule')
}

/** Changes the query and keeps the focus: on the rule wherever it went, or near the place of the one removed. */
function change(
  { schema, path, ruleOrGroup }: ActionProps,
  button: HTMLElement,
  next: (query: RuleGroupTypeAny) => RuleGroupTypeAny,
  removed: Path | null,
): void {
  const builder = button.closest<HTMLElement>(`.${classes.builder}`)
  const parent = removed && button.closest(`[data-path='${pathText(removed)}']`)?.parentElement
  schema.dispatchQuery(next(schema.getQuery()))
  requestAnimationFrame(() => {
    if (removed) return focusNear(parent ?? builder, removed)
    const { id = '' } = ruleOrGroup
    const name = CSS.escape(id)
    const moved = builder?.querySelector(`[data-rule-id="${name}"], [data-rule-group-id="${name}"]`)
    const here = builder?.querySelector(`[data-path='${pathText(path)}']`)
    ;(moved ?? here)?.querySelector<HTMLElement>('[data-part="menu"]')?.focus()
  })
}

/** The rule that took the place of the one removed, otherwise where a new one can be added. */
function focusNear(parent: Element | null | undefined, removed: Path): void {
  const successor = parent?.querySelector(`[data-path='${pathText(removed)}']`)
  const target =
    successor?.querySelector<HTMLElement>('[data-part="remove"]') ??
    parent?.querySelector<HTMLElement>('[data-part="add"]')
  target?.focus()
}
