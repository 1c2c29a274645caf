import { defineResource } from '../define-resource.ts'
import { date, id, name, queryId, text } from '../fields.ts'
import { z } from 'zod'

/** A report group: campaigns that are reported as one (R233). */
export const reportingGroup = defineResource({
  name: 'reportinggroup',
  area: 'reports',
  entity: 'ReportingGroup',
  key: 'reportinggroup_id',
  label: 'name',
  paths: ['/reportinggroup/'],
  tenant: true,
  fields: {
    reportinggroup_id: id,
    name,
    description: text(1000).nullable(),
    campaign_ids: z.array(id).max(500).default([]),
    /**
     * Values of categories: started campaigns with a value of each of these categories belong to the group, too, also
     * later ones.
     */
    category_value_ids: z.array(id).max(50).default([]),
    /** Days between which those were started, in the client's time zone. */
    started_from: date.nullable(),
    started_to: date.nullable(),
    /** Number of campaigns. */
    campaigns: z.int(),
  },
  readOnly: ['campaigns'],
  required: { create: ['name'] },
  /** Groups that contain a campaign. */
  filters: { campaign: { operator: 'special', value: queryId } },
  search: ['name', 'description'],
  sort: ['name'],
  included: {},
})
