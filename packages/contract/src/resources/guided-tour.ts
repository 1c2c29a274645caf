import { z } from 'zod'
import { isConsolePath } from '../console-path.ts'
import { defineResource } from '../define-resource.ts'
import { flag, id, line, name, text } from '../fields.ts'
import { checkFault } from '../schema-faults.ts'

export const placements = ['top', 'right', 'bottom', 'left', 'over'] as const

/** Null when not translated yet: another language is shown. */
const stepTitle = line(120).nullable()
const stepText = text(1000).nullable()

/** One step of a tour: an element and its explanation. */
export const tourStep = z.strictObject({
  /** A CSS selector, or `role=button[name="Save"]` for elements that have no better one. */
  selector: line(500).min(1, checkFault('field.empty')),
  title_en: stepTitle,
  title_de: stepTitle,
  title_es: stepTitle,
  text_en: stepText,
  text_de: stepText,
  text_es: stepText,
  placement: z.enum(placements),
})

export type TourStep = z.infer<typeof tourStep>

/** A guided tour through a screen (R258, domain.md 2G). Superadmins record it, all users can take it. */
export const guidedTour = defineResource({
  name: 'guided_tour',
  area: 'tours',
  entity: 'GuidedTour',
  key: 'id',
  label: 'name',
  paths: ['/v2/guided-tour/'],
  tenant: false,
  superadminOnly: true,
  fields: {
    id,
    name,
    /** Name in German and Spanish; null: `name` is shown. */
    name_de: line(255).nullable(),
    name_es: line(255).nullable(),
    /** Console path of its screen. */
    path: line(500).refine(isConsolePath, checkFault('field.console_path')),
    steps: z.array(tourStep).max(50).default([]),
    /** Empty: any role. */
    roles: z.array(id).max(500).default([]),
    active: z.boolean().default(true),
    /** Starts automatically, once per user. */
    autoplay: z.boolean().default(false),
  },
  readOnly: [],
  required: { create: ['name', 'path'] },
  filters: {
    path: { operator: 'contains', value: line(255) },
    onlyactive: { operator: 'flag', column: 'active', value: flag },
    autoplay: { operator: 'flag', value: flag },
  },
  search: ['name', 'name_de', 'name_es', 'path'],
  sort: ['name', 'path', 'active'],
  included: {},
})
