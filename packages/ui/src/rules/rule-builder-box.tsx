import { VisuallyHidden } from '@mantine/core'
import { type RuleGroup, combinators, matchModes } from '@emma/contract/rules.ts'
import {
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import {
  type ControlElementsProp,
  type FullCombinator,
  type FullField,
  type FullOperator,
  QueryBuilder,
  type RuleType,
} from 'react-querybuilder'
import type { RowAction } from '../list/list-parts.ts'
import { RowMenu } from '../list/row-menu.tsx'
import { type Translate, useFormat, useTranslate } from '../i18n.tsx'
import { describeQuery } from './describe-query.ts'
import { GroupBody, GroupHeader } from './group-parts.tsx'
import { MatchEditor } from './match-editor.tsx'
import { moveByKeys } from './move-by-keys.ts'
import { ruleFieldOf, toBuilderField } from './builder-field.ts'
import { type BuilderGroup, isBuilderGroup, isRuleGroup } from './builder-query.ts'
import { RuleBuilderContext, type RuleBuilderSettings } from './rule-builder-context.ts'
import { RuleActions } from './rule-actions.tsx'
import classes from './rule-builder.module.css'
import { FieldSelect, OperatorSelect } from './rule-selects.tsx'
import { RuleTools } from './rule-tools.tsx'
import { SegmentCount, type SegmentCountProps } from './segment-count.tsx'
import { type RuleField, firstValue, operatorsOfField } from './rule-field.ts'
import { useQueryHistory } from './use-query-history.ts'
import { ValueEditor } from './value-editor.tsx'

export interface RuleBuilderBoxProps {
  fields: readonly RuleField[]
  query: RuleGroup
  onChange: (query: RuleGroup) => void
  /** Makes the query read-only. */
  isDisabled?: boolean
  /** Maximum depth of nested groups; unlimited by default (R285). */
  maxDepth?: number
  /** Live count of matching members, provided by the screen. */
  count?: SegmentCountProps
  /** Returns the name of a record for the sentence below the rules, e.g. a campaign's. */
  recordName?: (field: RuleField, value: string | number) => string | undefined
  /** Hides the sentence below the rules. */
  hideSentence?: boolean
  /** Marks rules without a value even before their inputs were left; set after an attempt to save. */
  showsFaults?: boolean
}

/** Rule builder with nested groups, the query as a sentence, and the count of matching members. */
export function RuleBuilderBox(props: RuleBuilderBoxProps): ReactNode {
  const {
    fields,
    query,
    onChange,
    isDisabled = false,
    maxDepth = Infinity,
    count,
    showsFaults = false,
  } = props
  const t = useTranslate()
  const format = useFormat()
  const [menu, setMenu] = useState<{ anchor: HTMLElement; actions: readonly RowAction[] } | null>(null)
  const [news, setNews] = useState('')
  const findFocus = useRef<() => HTMLElement | null | undefined>(null)
  const settings = useMemo<RuleBuilderSettings>(
    () => ({
      isDisabled,
      showsFaults,
      openMenu: (anchor, actions) => setMenu({ anchor, actions }),
      focusAfter: find => {
        findFocus.current = find
      },
    }),
    [isDisabled, showsFaults],
  )
  // Moving a rule remounts it and loses focus; restore it before the next key press.
  useLayoutEffect(() => {
    findFocus.current?.()?.focus()
    findFocus.current = null
  }, [query])
  const { change, undo, redo } = useQueryHistory(query, onChange)
  const changeChecked = useCallback(
    (next: unknown) => {
      if (isRuleGroup(next)) change(next)
    },
    [change],
  )
  const options = useMemo(() => builderOptions(fields, t), [fields, t])

  function handleKey(event: KeyboardEvent<HTMLElement>): void {
    // Enter in a value must not submit the form with incomplete rules.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
    if (isDisabled || !(event.ctrlKey || event.metaKey) || !(event.target instanceof HTMLElement)) return
    const key = event.key.toLowerCase()
    if (key === 'z' || key === 'y') {
      event.preventDefault()
      if (key === 'y' || event.shiftKey) redo?.()
      else undo?.()
    }
    if (!event.shiftKey || (key !== 'arrowup' && key !== 'arrowdown')) return
    event.preventDefault()
    const direction = key === 'arrowup' ? 'up' : 'down'
    const element = event.target.closest<HTMLElement>('[data-path]')
    const next = element && isBuilderGroup(query) ? moveByKeys(query, element, direction) : null
    if (!element || !isRuleGroup(next)) return
    settings.focusAfter(samePart(event.currentTarget, element, event.target))
    change(next)
    setNews(`${t(direction === 'up' ? 'rules.moved_up' : 'rules.moved_down')} ${describe(next)}`)
  }

  const describe = (described: RuleGroup) =>
    describeQuery(described, {
      fields,
      t,
      format,
      ...(props.recordName ? { recordName: props.recordName } : {}),
    })

  return (
    <RuleBuilderContext value={settings}>
      <div className={classes.builder} role="group" aria-label={t('rules.region')} onKeyDown={handleKey}>
        {!isDisabled && <RuleTools undo={undo} redo={redo} />}
        <QueryBuilder<BuilderGroup, FullField, FullOperator, FullCombinator>
          {...options}
          query={isBuilderGroup(query) ? query : emptyQuery}
          onQueryChange={changeChecked}
          disabled={isDisabled}
          maxLevels={maxDepth}
          controlElements={controls}
          controlClassnames={controlClassnames}
          suppressStandardClassnames
          showNotToggle
          listsAsArrays
          enableDragAndDrop={false}
        />
        <VisuallyHidden role="status">{news}</VisuallyHidden>
      </div>
      {menu && <RowMenu anchor={menu.anchor} actions={menu.actions} onClose={() => setMenu(null)} />}
      {(count ?? !props.hideSentence) && (
        <footer className={classes.footer}>
          {!props.hideSentence && (
            <p className={classes.sentence}>
              <span className={classes.sentenceLabel}>{t('rules.summary')}</span>
              {describe(query)}
            </p>
          )}
          {count && <SegmentCount {...count} />}
        </footer>
      )}
    </RuleBuilderContext>
  )
}

/** Returns a function that finds the same control of a rule or group after it moved. */
function samePart(builder: HTMLElement, element: HTMLElement, target: HTMLElement) {
  const { ruleId, ruleGroupId } = element.dataset
  const name = CSS.escape(ruleId ?? ruleGroupId ?? '')
  const part = target.dataset.part ?? 'menu'
  return () =>
    builder
      .querySelector(`[data-rule-id="${name}"], [data-rule-group-id="${name}"]`)
      ?.querySelector<HTMLElement>(`[data-part="${part}"]`)
}

const emptyQuery: BuilderGroup = { combinator: 'and', rules: [] }

function builderOptions(fields: readonly RuleField[], t: Translate) {
  const operatorsOf = (_name: string, { fieldData }: { fieldData: FullField }) =>
    operatorsOfField(ruleFieldOf(fieldData)).map(name => ({ name, value: name, label: name }))
  const shared = {
    combinators: combinators.map(name => ({ name, value: name, label: t(`rules.${name}`) })),
    getOperators: operatorsOf,
    getDefaultValue: (rule: RuleType, { fieldData }: { fieldData: FullField }) => {
      const field = ruleFieldOf(fieldData)
      const operator = operatorsOfField(field).find(known => known === rule.operator) ?? '='
      return field.type === 'events' ? { combinator: 'and', rules: [] } : firstValue(field, operator)
    },
    accessibleDescriptionGenerator: () => '',
  }
  return {
    ...shared,
    fields: fields.map(toBuilderField),
    getMatchModes: (_name: string, { fieldData }: { fieldData: FullField }) =>
      ruleFieldOf(fieldData).type === 'events' ? [...matchModes] : false,
    getSubQueryBuilderProps: () => shared,
  }
}

/** Replaces controls of react-querybuilder by those of the kit. */
const controls: ControlElementsProp<FullField, string> = {
  fieldSelector: FieldSelect,
  operatorSelector: OperatorSelect,
  valueEditor: ValueEditor,
  matchModeEditor: MatchEditor,
  removeRuleAction: RuleActions,
  ruleGroupHeaderElements: GroupHeader,
  ruleGroupBodyElements: GroupBody,
}

const controlClassnames = {
  queryBuilder: classes.query ?? '',
  ruleGroup: classes.group ?? '',
  header: classes.header ?? '',
  body: classes.body ?? '',
  rule: classes.rule ?? '',
  disabled: classes.locked ?? '',
}
