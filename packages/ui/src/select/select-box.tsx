import { HoverCard } from '@mantine/core'
import { IconChevronDown, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import {
  type AriaLiveMessages,
  type ClassNamesConfig,
  type GroupBase,
  type MultiValueRemoveProps,
  type OnChangeValue,
  type SelectComponentsConfig,
  components,
} from 'react-select'
import CreatableSelect from 'react-select/creatable'
import { type LoadOptions, withAsyncPaginate } from 'react-select-async-paginate'
import { confirm } from '../feedback/confirm.tsx'
import { notify } from '../feedback/notify.tsx'
import { popupsId } from '../theme/create-theme.ts'
import { layers } from '../theme/timings.ts'
import { useUiSettings } from '../ui-settings.tsx'
import { type Translate, useTranslate } from '../i18n.tsx'
import { changedSelection, fixedFirst } from './changed-selection.ts'
import { isCreatable, matches } from './match-option.ts'
import {
  type SelectOption,
  type SelectSource,
  type SelectValue,
  lookUpQuery,
  pageQuery,
} from './select-source.ts'
import classes from './select.module.css'

/** The specification's constants (R267): menu heights in px, options skipped by PageUp and PageDown. */
const maximumMenuHeight = 300
const minimumMenuHeight = 140
const pageJump = 5
/** Debounce of the search in ms. */
const searchDelay = 250

/** Common props of single and multiple selects. */
export interface CommonSelectProps<V extends SelectValue> {
  /** Id of the input, for an external label. */
  inputId?: string
  /** Accessible name, if no visible label refers to `inputId`. */
  label?: string
  describedBy?: string
  placeholder?: string
  /** All options. Either these or `source`. */
  options?: readonly SelectOption<V>[]
  /** Options loaded page by page. */
  source?: SelectSource<V>
  /** Creates an option from the search text (R269). */
  create?(this: void, text: string): SelectOption<V> | Promise<SelectOption<V>>
  /** Values that cannot be removed (R272). */
  fixed?: readonly V[]
  /** Values whose removal has to be confirmed (R271). */
  defaults?: readonly V[]
  isClearable?: boolean
  isDisabled?: boolean
  hasError?: boolean
  isRequired?: boolean
}

export interface SelectBoxProps<V extends SelectValue> extends CommonSelectProps<V> {
  isMulti: boolean
  values: readonly V[]
  onValues(this: void, options: readonly SelectOption<V>[]): void
}

/** The select for one or several values. Loaded by `Select` and `MultiSelect`. */
export function SelectBox<V extends SelectValue>(props: SelectBoxProps<V>): ReactNode {
  const { options, source, create, fixed = [], defaults = [], values, onValues, isMulti } = props
  const t = useTranslate()
  const { errorText } = useUiSettings()
  const [host, setHost] = useState<HTMLDivElement | null>(null)
  const [isCreating, setCreating] = useState(false)
  const labels = useLabels(options, source, values)
  const selected = fixedFirst(values.map(labels.optionOf), fixed)

  async function change(next: OnChangeValue<SelectOption<V>, boolean>): Promise<void> {
    const wanted = isList(next) ? next : next === null ? [] : [next]
    const result = changedSelection(selected, wanted, { fixed, defaults })
    for (const option of result.removedDefaults) {
      const isSure = await confirm({
        title: t('select.remove_default_title', { name: option.label }),
        text: t('select.remove_default_text'),
      })
      if (!isSure) return
    }
    labels.remember(result.options)
    onValues(isMulti ? result.options : result.options.slice(-1))
  }

  async function addNew(text: string): Promise<void> {
    if (!create) return
    setCreating(true)
    try {
      const option = await create(text.trim())
      labels.remember([option])
      onValues(isMulti ? [...selected, option] : [option])
    } catch (error) {
      notify.danger(errorText(error))
    } finally {
      setCreating(false)
    }
  }

  const shared = {
    inputId: props.inputId,
    'aria-label': props.label,
    'aria-describedby': props.describedBy,
    'aria-invalid': props.hasError,
    'aria-required': props.isRequired,
    ariaLiveMessages: liveMessages<V>(t),
    screenReaderStatus: ({ count }: { count: number }) => t.count('select.count', count),
    placeholder: props.placeholder ?? t('select.placeholder'),
    noOptionsMessage: () => t('not_found'),
    loadingMessage: () => t('loading'),
    formatCreateLabel: (text: string) => t('select.create', { text: text.trim() }),
    isValidNewOption: (text: string, _value: unknown, known: readonly unknown[]) =>
      create !== undefined && isCreatable(text, labelsOf(known)),
    onCreateOption: (text: string) => void addNew(text),
    // The search text as an option, rendered differently.
    getNewOptionData: (text: string, label: ReactNode) => newOption<V>(text, label),
    isMulti,
    isDisabled: props.isDisabled === true || isCreating,
    isClearable: props.isClearable ?? true,
    value: isMulti ? selected : (selected[0] ?? null),
    onChange: (next: OnChangeValue<SelectOption<V>, boolean>) => void change(next),
    maxMenuHeight: maximumMenuHeight,
    minMenuHeight: minimumMenuHeight,
    pageSize: pageJump,
    menuPlacement: 'auto',
    menuPosition: 'fixed',
    menuPortalTarget: portalTarget(host),
    closeMenuOnSelect: !isMulti,
    hideSelectedOptions: isMulti,
    unstyled: true,
    classNames: classNames<V>(props.hasError === true),
    styles: {
      // Modals let clicks pass through their frame; the menu inside must not.
      menuPortal: (base: object) => ({ ...base, zIndex: layers.popover, pointerEvents: 'auto' as const }),
      // Same height as other inputs.
      control: (base: object) => ({ ...base, minHeight: 34 }),
    },
    components: parts<V>(),
    formatOptionLabel: (option: SelectOption<V>, { context }: { context: 'menu' | 'value' }) => (
      <OptionLabel option={option} isInMenu={context === 'menu'} />
    ),
    isOptionDisabled: (option: SelectOption<V>) => option.isDisabled === true,
    // Read by the custom components below.
    fixedValues: fixed,
  } as const

  return (
    <div ref={setHost} className={classes.host}>
      {source ? (
        <PaginatedSelect {...shared} {...labels.paging} />
      ) : (
        <CreatableSelect
          {...shared}
          options={options ?? []}
          filterOption={({ label, data }, typed) => '__isNew__' in data || matches(label, typed)}
        />
      )}
    </div>
  )
}

const PaginatedSelect = withAsyncPaginate(CreatableSelect)

/** Known labels of options: passed, loaded, looked up or created. */
function useLabels<V extends SelectValue>(
  options: readonly SelectOption<V>[] | undefined,
  source: SelectSource<V> | undefined,
  values: readonly V[],
) {
  const queryClient = useQueryClient()
  const { errorText } = useUiSettings()
  const [remembered, setRemembered] = useState<ReadonlyMap<V, SelectOption<V>>>(new Map())
  const isKnown = (value: V) =>
    remembered.has(value) || (options?.some(option => option.value === value) ?? false)
  const unknown = source ? values.filter(value => !isKnown(value)) : []
  const lookedUp = useQuery({
    queryKey: [...(source?.key ?? ['select']), 'look-up', unknown],
    queryFn: ({ signal }) => {
      if (!source) throw new Error('A look-up needs a source')
      return source.load(lookUpQuery(source, unknown), signal)
    },
    enabled: unknown.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

  function optionOf(value: V): SelectOption<V> {
    const given = options?.find(option => option.value === value)
    const found = lookedUp.data?.data.find(option => option.value === value)
    return (
      given ?? remembered.get(value) ?? found ?? { value, label: lookedUp.isFetching ? '…' : `#${value}` }
    )
  }

  const loadOptions: LoadOptions<SelectOption<V>, GroupBase<SelectOption<V>>, { skip: number }> = async (
    typed,
    _loaded,
    additional,
  ) => {
    const skip = additional?.skip ?? 0
    if (!source) return { options: [], hasMore: false }
    const query = pageQuery(source, typed, skip)
    try {
      const page = await queryClient.fetchQuery({
        queryKey: [...source.key, 'page', query],
        queryFn: ({ signal }) => source.load(query, signal),
        staleTime: 15_000,
      })
      const next = skip + page.data.length
      return {
        options: [...page.data],
        hasMore: page.data.length > 0 && next < page.total,
        additional: { skip: next },
      }
    } catch (error) {
      notify.danger(errorText(error), { id: 'select-load' })
      return { options: [], hasMore: false }
    }
  }

  return {
    optionOf,
    remember: (chosen: readonly SelectOption<V>[]) =>
      setRemembered(before => new Map([...before, ...chosen.map(option => [option.value, option] as const)])),
    paging: {
      loadOptions,
      additional: { skip: 0 },
      debounceTimeout: searchDelay,
      // Another source (another client, another filter) resets the options.
      cacheUniqs: [JSON.stringify(source?.key ?? [])],
    },
  }
}

/** Inside a modal the menu is rendered in it, since content outside does not scroll. */
function portalTarget(host: HTMLElement | null): HTMLElement {
  const modal = host?.closest<HTMLElement>('.mantine-Modal-inner, .mantine-Drawer-inner')
  return modal ?? document.getElementById(popupsId) ?? document.body
}

function parts<V extends SelectValue>(): SelectComponentsConfig<
  SelectOption<V>,
  boolean,
  GroupBase<SelectOption<V>>
> {
  return {
    DropdownIndicator: () => <IconChevronDown className={classes.chevron} size={16} aria-hidden />,
    IndicatorSeparator: null,
    ClearIndicator: props => (
      <components.ClearIndicator {...props}>
        <IconX size={16} aria-hidden />
      </components.ClearIndicator>
    ),
    MultiValueRemove: RemoveValue,
  }
}

/** Remove button of a selected value; fixed values have none (R272). */
function RemoveValue<V extends SelectValue>(
  props: MultiValueRemoveProps<SelectOption<V>, boolean>,
): ReactNode {
  const t = useTranslate()
  const fixed: unknown = Reflect.get(props.selectProps, 'fixedValues')
  if (props.selectProps.isDisabled) return null
  if (Array.isArray(fixed) && fixed.includes(props.data.value)) return null
  const innerProps = { ...props.innerProps, 'aria-label': t('select.remove', { name: props.data.label }) }
  return (
    <components.MultiValueRemove {...props} innerProps={innerProps}>
      <IconX size={14} aria-hidden />
    </components.MultiValueRemove>
  )
}

function OptionLabel<V extends SelectValue>(props: {
  option: SelectOption<V>
  isInMenu: boolean
}): ReactNode {
  const { option, isInMenu } = props
  const { label, description, screenshot } = option
  if (!screenshot && !(description && isInMenu)) return label
  return (
    <span className={classes.rich} data-menu={isInMenu || undefined}>
      {screenshot && <Screenshot screenshot={screenshot} isSmall={!isInMenu} />}
      <span className={classes.texts}>
        <span className={classes.label}>{label}</span>
        {description && isInMenu && <span className={classes.description}>{description}</span>}
      </span>
    </span>
  )
}

/** Thumbnail with a large image on hover. The label describes it. */
function Screenshot(props: {
  screenshot: NonNullable<SelectOption['screenshot']>
  isSmall: boolean
}): ReactNode {
  const { screenshot, isSmall } = props
  return (
    <HoverCard position="left-start" openDelay={300} width={320}>
      <HoverCard.Target>
        <img
          className={classes.screenshot}
          data-small={isSmall || undefined}
          src={screenshot.url_small}
          alt=""
          loading="lazy"
        />
      </HoverCard.Target>
      <HoverCard.Dropdown p={4}>
        <img className={classes.zoomed} src={screenshot.url_large} alt="" loading="lazy" />
      </HoverCard.Dropdown>
    </HoverCard>
  )
}

function classNames<V extends SelectValue>(
  hasError: boolean,
): ClassNamesConfig<SelectOption<V>, boolean, GroupBase<SelectOption<V>>> {
  const name = (key: string) => () => classes[key] ?? ''
  return {
    control: ({ isFocused, isDisabled }) =>
      [
        classes.control,
        isFocused && classes.focused,
        isDisabled && classes.disabled,
        hasError && classes.faulty,
      ]
        .filter(Boolean)
        .join(' '),
    valueContainer: name('values'),
    placeholder: name('placeholder'),
    singleValue: name('single'),
    multiValue: name('multi'),
    multiValueLabel: name('multiLabel'),
    multiValueRemove: name('multiRemove'),
    indicatorsContainer: name('indicators'),
    clearIndicator: name('clear'),
    loadingIndicator: name('loading'),
    menu: name('menu'),
    menuList: name('list'),
    noOptionsMessage: name('message'),
    loadingMessage: name('message'),
    option: ({ isFocused, isSelected, isDisabled }) =>
      [
        classes.option,
        isFocused && classes.optionFocused,
        isSelected && classes.optionSelected,
        isDisabled && classes.optionDisabled,
      ]
        .filter(Boolean)
        .join(' '),
  }
}

function liveMessages<V extends SelectValue>(
  t: Translate,
): AriaLiveMessages<SelectOption<V>, boolean, GroupBase<SelectOption<V>>> {
  return {
    guidance: ({ context }) => (context === 'menu' ? t('select.hint') : ''),
    onChange: ({ action, label }) => {
      if (action === 'clear') return t('select.cleared')
      if (label === '') return ''
      const isGone = action === 'deselect-option' || action === 'remove-value' || action === 'pop-value'
      return t(isGone ? 'select.removed' : 'select.chosen', { name: label })
    },
    onFilter: ({ resultsMessage }) => resultsMessage,
    onFocus: ({ focused }) => focused.label,
  }
}

function isList<T>(value: T | readonly T[]): value is readonly T[] {
  return Array.isArray(value)
}

function labelsOf(options: readonly unknown[]): string[] {
  return options.flatMap(option => {
    const label: unknown = typeof option === 'object' && option !== null ? Reflect.get(option, 'label') : null
    return typeof label === 'string' ? [label] : []
  })
}

/** The "create" entry. It is never selected: selecting it calls `create`. */
function newOption<V extends SelectValue>(text: string, label: ReactNode): SelectOption<V> {
  const option = { value: text, label: typeof label === 'string' ? label : text, __isNew__: true }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- stands for a value that does not exist yet
  return option as unknown as SelectOption<V>
}
