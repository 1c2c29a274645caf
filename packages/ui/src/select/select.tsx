import type { ReactNode } from 'react'
import { fetchedPart } from '../fetched-part.tsx'
import type { SelectBoxProps } from './select-box.tsx'
import type { SelectOption, SelectSource, SelectValue } from './select-source.ts'
import classes from './select.module.css'

interface CommonProps<V extends SelectValue> {
  /** Of the input, for a label elsewhere. */
  inputId?: string
  /** Name for screen readers, where no visible label points at `inputId`. */
  label?: string
  describedBy?: string
  placeholder?: string
  /** All options. Either these or `source`. */
  options?: readonly SelectOption<V>[]
  /** Options loaded page by page. */
  source?: SelectSource<V>
  /** Makes an option of typed text that is none yet (R269). */
  create?(this: void, text: string): SelectOption<V> | Promise<SelectOption<V>>
  /** Values that cannot be removed (R272). */
  fixed?: readonly V[]
  /** Values whose removal is asked for in a modal (R271). */
  defaults?: readonly V[]
  isClearable?: boolean
  isDisabled?: boolean
  hasError?: boolean
  isRequired?: boolean
}

export interface SelectProps<V extends SelectValue> extends CommonProps<V> {
  value: V | null
  onChange: (value: NoInfer<V> | null, option: SelectOption<NoInfer<V>> | null) => void
}

export interface MultiSelectProps<V extends SelectValue> extends CommonProps<V> {
  value: readonly V[]
  onChange: (values: readonly NoInfer<V>[], options: readonly SelectOption<NoInfer<V>>[]) => void
}

/** One value out of many: searched whatever the accents, loaded 25 at a time, never clipped. */
export function Select<V extends SelectValue>({ value, onChange, ...common }: SelectProps<V>): ReactNode {
  return (
    <Box
      {...common}
      isMulti={false}
      values={value === null ? [] : [value]}
      onValues={(options: readonly SelectOption<V>[]) =>
        onChange(options[0]?.value ?? null, options[0] ?? null)
      }
    />
  )
}

/** Several values out of many. */
export function MultiSelect<V extends SelectValue>(props: MultiSelectProps<V>): ReactNode {
  const { value, onChange, ...common } = props
  return (
    <Box
      {...common}
      isMulti
      values={value}
      onValues={(options: readonly SelectOption<V>[]) =>
        onChange(
          options.map(option => option.value),
          options,
        )
      }
    />
  )
}

/** react-select arrives only where a select is shown: it weighs as much as a screen. */
const Box = fetchedPart<SelectBoxProps<SelectValue>>(
  async () => (await import('./select-box.tsx')).SelectBox,
  () => <div className={classes.waiting} />,
)
