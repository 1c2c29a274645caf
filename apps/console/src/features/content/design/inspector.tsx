import { attributeValue, setAttribute } from '@emma/mail/edit/attributes.ts'
import { readColumnWidths, resizeColumn, setColumnWidths } from '@emma/mail/edit/column-widths.ts'
import { canBeCounted, isCounted, setCounted } from '@emma/mail/edit/counted.ts'
import type { ElementNode, TemplateNode, TemplateTree } from '@emma/mail/edit/template-tree.ts'
import { type BrandValues, mailFontNames, mailFonts } from '@emma/contract/client-brand.ts'
import {
  ActionIcon,
  Autocomplete,
  ColorInput,
  Group,
  NumberInput,
  Select,
  Switch,
  TextInput,
} from '@mantine/core'
import { IconPhoto } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ComponentField, fieldsOf } from './component-fields.ts'
import { BlockCode } from './block-code.tsx'
import { ConditionInput } from './condition-input.tsx'
import { DarkInputs } from './dark-inputs.tsx'
import { FilePicker } from '../files/file-picker.tsx'
import classes from './design.module.css'
import { showImage } from './image-source.ts'
import { useBrand } from './use-brand.ts'
import { usePermission } from '../../../shell/session/use-session.ts'
import type { Design } from './use-design.ts'

interface InspectorProps {
  design: Design
  tree: TemplateTree
  node: TemplateNode
  title: string
  /** Datasource whose columns conditions can compare. */
  memberTableId: number | null
}

/** Attributes of the selected node, widths of its columns, and its condition. */
export function Inspector({ design, tree, node, title, memberTableId }: InspectorProps): ReactNode {
  const { t } = useTranslation()
  const [pictured, setPictured] = useState<string | null>(null)
  return (
    <section className={classes.inspector} aria-label={title}>
      <h2 className={classes.title}>{title}</h2>
      {node.type === 'element' && (
        <>
          <ColumnWidths design={design} tree={tree} node={node} />
          {fieldsOf(node, tree.format).map(field => (
            <AttributeInput
              key={`${node.id} ${field.name}`}
              field={field}
              value={attributeValue(tree, node, field.name) ?? ''}
              onChange={value =>
                design.edit(current => changed(current, node.id, field.name, value), {
                  key: `${node.id} ${field.name}`,
                })
              }
              onPick={() => setPictured(field.name)}
            />
          ))}
          <DarkInputs key={node.id} design={design} tree={tree} node={node} />
          <BlockCode key={`${node.id} code`} design={design} tree={tree} node={node} />
          {pictured !== null && (
            <FilePicker
              onPick={file =>
                design.edit(current => {
                  const now = current.nodes.find(one => one.id === node.id)
                  return now?.type === 'element' ? showImage(current, now, pictured, file) : []
                })
              }
              onClose={() => setPictured(null)}
            />
          )}
        </>
      )}
      <ConditionInput key={node.id} design={design} tree={tree} node={node} memberTableId={memberTableId} />
      {canBeCounted(node) && (
        <Switch
          size="xs"
          mt="sm"
          label={t('content.design.counted')}
          description={t('content.design.counted_hint')}
          checked={isCounted(tree, node)}
          onChange={event => {
            const { checked } = event.currentTarget
            design.edit(current => {
              const now = current.nodes.find(({ id }) => id === node.id)
              return now ? setCounted(current, now, checked) : []
            })
          }}
        />
      )}
    </section>
  )
}

function changed(tree: TemplateTree, id: number, name: string, value: string) {
  const node = tree.nodes.find(one => one.id === id)
  return node?.type === 'element' ? setAttribute(tree, node, name, value === '' ? null : value) : []
}

interface AttributeInputProps {
  field: ComponentField
  value: string
  onChange: (value: string) => void
  /** Opens the file manager. */
  onPick: () => void
}

function AttributeInput({ field, value, onChange, onPick }: AttributeInputProps): ReactNode {
  const { t, i18n } = useTranslation()
  const brand = useBrand()
  const mayPick = usePermission({ all: ['CloudStorage:get'] })
  const key = `content.design.attributes.${field.name}`
  const label = i18n.exists(key) ? t(key) : field.name
  if (field.kind === 'choice')
    return (
      <Select
        size="xs"
        label={label}
        data={[...new Set([...(field.choices ?? []), value])].filter(Boolean)}
        value={value === '' ? null : value}
        onChange={chosen => onChange(chosen ?? '')}
        clearable
      />
    )
  if (field.kind === 'color')
    return (
      <ColorInput
        size="xs"
        label={label}
        value={value}
        onChange={onChange}
        fixOnBlur={false}
        withEyeDropper={false}
        swatches={brand ? brandColors(brand) : []}
      />
    )
  if (field.kind === 'font')
    return (
      <Autocomplete
        size="xs"
        label={label}
        value={value}
        // All fonts are offered, whichever is written.
        filter={({ options }) => options}
        data={[
          ...new Set([brand?.font, brand?.heading_font, ...mailFontNames.map(name => mailFonts[name])]),
        ].filter(one => one !== undefined)}
        onChange={onChange}
      />
    )
  return (
    <TextInput
      size="xs"
      label={label}
      value={value}
      inputMode={field.kind === 'text' ? 'text' : 'url'}
      rightSection={
        field.kind === 'image' &&
        mayPick && (
          <ActionIcon
            size="sm"
            variant="subtle"
            aria-label={`${t('content.files.choose_image')}: ${label}`}
            onClick={onPick}
          >
            <IconPhoto size={16} />
          </ActionIcon>
        )
      }
      onChange={event => onChange(event.currentTarget.value)}
    />
  )
}

function brandColors(brand: BrandValues): string[] {
  const { color, text_color, background, button_color, button_text_color } = brand
  return [...new Set([color, button_color, text_color, button_text_color, background, '#ffffff'])]
}

/** Widths of a section's columns in percent; together they are always 100. */
function ColumnWidths({
  design,
  tree,
  node,
}: {
  design: Design
  tree: TemplateTree
  node: ElementNode
}): ReactNode {
  const { t } = useTranslation()
  const columns = node.children.filter(child => child.type === 'element' && child.name === 'mj-column')
  if (node.name !== 'mj-section' || columns.length < 2) return null
  const elements = columns.filter(child => child.type === 'element')
  const widths = readColumnWidths(tree, elements)
  return (
    <fieldset className={classes.widths}>
      <legend>{t('content.design.widths')}</legend>
      <Group gap={6} wrap="nowrap">
        {widths.map((width, index) => (
          <NumberInput
            key={elements[index]?.id}
            size="xs"
            aria-label={t('content.design.width_of', { number: index + 1 })}
            suffix=" %"
            value={width}
            disabled={index === widths.length - 1}
            min={5}
            max={95}
            onChange={value =>
              design.edit(
                current => setColumnWidths(current, elements, resizeColumn(widths, index, Number(value))),
                { key: `${node.id} widths` },
              )
            }
          />
        ))}
      </Group>
    </fieldset>
  )
}
