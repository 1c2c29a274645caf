import { type RuleGroup, combinators, matchModes } from '@emma/contract/rules.ts'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
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
import { type Say, useFormat, useSay } from '../words.tsx'
import { describeQuery } from './describe-query.ts'
import { GroupBody, GroupHeader } from './group-parts.tsx'
import { MatchEditor } from './match-editor.tsx'
import { ruleFieldOf, toBuilderField } from './builder-field.ts'
import { type BuilderGroup, isBuilderGroup, isRuleGroup } from './builder-query.ts'
import { RuleBuilderContext, type RuleBuilderSettings } from './rule-builder-context.ts'
import { RuleActions } from './rule-actions.tsx'
import classes from './rule-builder.module.css'
import { FieldSelect, OperatorSelect } from './rule-selects.tsx'
import { SegmentCount, type SegmentCountProps } from './segment-count.tsx'
import { type RuleField, firstValue, operatorsOfField } from './rule-field.ts'
import { ValueEditor } from './value-editor.tsx'

export interface RuleBuilderBoxProps {
  fields: readonly RuleField[]
  query: RuleGroup
  onChange: (query: RuleGroup) => void
  /** Nothing can be changed. */
  isDisabled?: boolean
  /** Levels of groups inside the outermost; unlimited when left out (R285). */
  maxDepth?: number
  /** How many members fit, asked by the screen while the query changes. */
  count?: SegmentCountProps
  /** Names of records in the sentence, e.g. of campaigns. */
  recordName?: (field: RuleField, value: string | number) => string | undefined
  /** Without the sentence below the rules. */
  hideSentence?: boolean
}

/** Rules in nested groups, what they say in words, and how many members they find. */
export function RuleBuilderBox(props: RuleBuilderBoxProps): ReactNode {
  const { fields, query, onChange, isDisabled = false, maxDepth = Infinity, count } = props
  const say = useSay()
  const format = useFormat()
  const [menu, setMenu] = useState<{ anchor: HTMLElement; actions: readonly RowAction[] } | null>(null)
  const settings = useMemo<RuleBuilderSettings>(
    () => ({ isDisabled, openMenu: (anchor, actions) => setMenu({ anchor, actions }) }),
    [isDisabled],
  )
  // Always the same function: another one would draw every rule anew with each key.
  const latestChange = useRef(onChange)
  useEffect(() => {
    latestChange.current = onChange
  }, [onChange])
  const change = useCallback((next: unknown) => {
    if (isRuleGroup(next)) latestChange.current(next)
  }, [])
  const options = useMemo(() => builderOptions(fields, say), [fields, say])

  return (
    <RuleBuilderContext value={settings}>
      <div className={classes.builder} role="group" aria-label={say('rules.region')}>
        <QueryBuilder<BuilderGroup, FullField, FullOperator, FullCombinator>
          {...options}
          query={isBuilderGroup(query) ? query : emptyQuery}
          onQueryChange={change}
          disabled={isDisabled}
          maxLevels={maxDepth}
          controlElements={controls}
          controlClassnames={controlClassnames}
          suppressStandardClassnames
          showNotToggle
          listsAsArrays
          enableDragAndDrop={false}
        />
      </div>
      {menu && <RowMenu anchor={menu.anchor} actions={menu.actions} onClose={() => setMenu(null)} />}
      {(count ?? !props.hideSentence) && (
        <footer className={classes.footer}>
          {!props.hideSentence && (
            <p className={classes.sentence}>
              <span className={classes.sentenceLabel}>{say('rules.summary')}</span>
              {describeQuery(query, {
                fields,
                say,
                format,
                ...(props.recordName ? { recordName: props.recordName } : {}),
              })}
            </p>
          )}
          {count && <SegmentCount {...count} />}
        </footer>
      )}
    </RuleBuilderContext>
  )
}

const emptyQuery: BuilderGroup = { combinator: 'and', rules: [] }

function builderOptions(fields: readonly RuleField[], say: Say) {
  const operatorsOf = (_name: string, { fieldData }: { fieldData: FullField }) =>
    operatorsOfField(ruleFieldOf(fieldData)).map(name => ({ name, value: name, label: name }))
  const shared = {
    combinators: combinators.map(name => ({ name, value: name, label: say(`rules.${name}`) })),
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

/** Parts of react-querybuilder that look and speak like the rest of the kit. */
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
