import { sentenceReader } from './read-sentence.ts'

/**
 * What the compiler of mails says of a content, faults and warnings alike; what stands in braces is filled in. Mail, which
 * knows no contract, has the same words, and a test holds both together. Ends that may follow others come first.
 */
export const contentFaults = {
  near: '{fault} Did you mean {near}?',
  in_module: 'In the placeholder module "{name}", line {line}: {fault}',

  part_long: 'This part is longer than {max} characters.',
  part_too_long: 'This part is too long for a mail.',
  placeholders_many: 'This part has too many placeholders.',
  nested: 'The conditions and loops are nested too deeply.',
  loop_long: 'A loop can run {max} times at most.',
  three_brackets: 'Three curly brackets are not possible here. Write {example}, or {other} for HTML.',
  no_partial: '"{text}" is not possible here. Put the text into a placeholder module: {example}.',
  no_block: '"{text}" is not possible here. Conditions are written {condition}, loops {loop}.',
  other_spelling: '"{text}" is not possible here. Write {example}.',
  equals: 'Comparisons are written with two equals signs (==), in {text}.',
  and_or: 'Conditions are joined by "and" and "or", in {text}.',
  placeholder_open:
    'This placeholder is never closed: {text}. It must end with }}, and quotes inside it come in pairs.',
  tag_open: 'This tag is never closed: {text}. It must end with %}.',
  block_open: '{text} is never closed. Add {end} after it.',
  closes_nothing: '{text} closes nothing: {opener} is missing before it.',
  outside: '{text} stands outside of a condition.',
  filter_unknown: 'There is no filter called "{name}".',
  tag_unknown: 'There is no tag called "{name}".',
  tag_foreign: '{text} is not available in mails. Put the text into a placeholder module: {example}.',
  tag_nameless: '{text} is no tag: the name of the tag is missing.',
  filter_bar: 'Something is too much in {text}. Filters begin with "|", texts stand in quotes.',
  filter_name: 'After "|" the name of a filter is missing in {text}.',
  filter_value: 'After the name of a filter comes ":" and its value, in {text}.',
  filter_extra: 'Something is too much after the value of a filter, in {text}.',
  column_missing: 'The name of a column is missing in {text}.',
  value_missing: 'A value is missing in {text}.',
  bracket_missing: 'A closing bracket "{bracket}" is missing in {text}.',
  range: 'Brackets are only possible for ranges like (1..5), not as in {text}.',
  end_missing: 'Something is missing at the end of {text}.',
  unclear: 'Something is missing or too much in {text}.',
  incomplete: '{text} is not complete.',
  not_understood: '{text} cannot be understood.',

  module_unknown: 'There is no placeholder module "{name}".',
  module_circle: 'Placeholder modules contain each other: {path}.',
  module_deep: 'Placeholder modules are nested deeper than {max} levels: {path}.',
  module_long: 'The placeholder modules make this part too long.',
  module_nested: 'The elements of the placeholder module "{name}" are nested too deeply.',
  module_column: 'The placeholder module "{name}" does not name a column of the datasource.',
  module_mandatory: 'The placeholder module "{name}" must be in every mail. Put in {example}.',
  module_alone:
    '{path} can only stand alone, as {example}: placeholder modules are put in before conditions and filters are read.',

  mjml_long: 'The HTML of this MJML is too long for a mail.',
  mjml_much: 'This is too much MJML for a mail.',
  mjml_deep: 'The components are nested too deeply.',
  mjml_styles: 'There are too many inline style rules (<mj-style inline="inline">) for so many elements.',
  mjml_attributes: '<{tag}> has too many attributes.',
  mjml_include: '<mj-include> cannot load files here. Put the content into a placeholder module: {example}.',
  mjml_place: 'Inside <{tag}> placeholders and conditions can only stand in the value of an attribute.',
  mjml_incomplete:
    'This is no complete MJML. It must begin with <mjml>, end with </mjml>, and have an <mj-body> in it.',
  mjml_unknown: 'There is no MJML component <{tag}>.',
  mjml_misplaced: '<{tag}> cannot stand in <{parent}>, only in {allowed}.',
  mjml_lost: 'MJML leaves out what stands here. Put it into <mj-text> or <mj-raw> inside <mj-body>.',

  html_deep: 'The elements of the HTML are nested too deeply.',
  html_unclosed: 'Too many formatting elements, such as <b> or <font>, are not closed.',
  html_placeholder: 'Inside <{tag}> a placeholder can only stand between the quotes of an attribute.',
  html_quotes: 'Put the whole value of the attribute {attribute} between quotes.',
  html_large: 'The HTML has {size}. Gmail cuts mails off behind 102 kB.',
  styles_many:
    'There are too many style rules to copy them into the elements; many mail programs will not show them.',
  tag_active: 'Mail programs take <{tag}> out, and filters do not like it.',
  attribute_active: 'Mail programs take the attribute {attribute} out, and filters do not like it.',
  address_program: 'The address in {attribute} would run a program.',
  image_inside:
    'Pictures inside the HTML (data:) are not shown by most mail programs. Upload the picture instead.',
  image_alt: 'The picture {picture} has no alternative text (alt).',
  foreign: '{text} is a placeholder of another program and will be sent as it stands.',

  link_program: 'The link {link} would run a program. Only web, mail and telephone addresses are possible.',
  link_unsupported: 'Most mail programs cannot open the link {link}.',
  link_empty: 'The link "{name}" leads nowhere: its address is empty.',
  link_relative: 'The link {link} is not complete. In a mail it must begin with https://.',
  link_uncounted: 'Clicks on the link {link} cannot be counted: it uses values that are gone after sending.',
  link_insecure: 'The link {link} is not encrypted. Use https:// if the site has it.',

  no_subject: 'The mail has no subject.',
  no_content: 'The mail has no content: neither HTML nor text.',
  no_unsubscribe: 'The mail has no unsubscribe link. Put in {example}.',
  text_not_made:
    'The text version cannot be made from this HTML: a condition or loop begins where readers see it and ends where they do not. Write a text version.',
  text_unclosed:
    'The text version cannot be made from this HTML: too many of its elements are not closed. Write a text version.',
  text_no_unsubscribe: 'The text part has no unsubscribe link. Put in {example}.',
  no_imprint: 'The mail has no imprint: name and address of the sender belong into it.',

  unescaped: '{path} is put in without escaping. Whoever fills it can change the mail.',
  empty_value: '{path} is empty for this recipient. A default can stand in: {example}.',
  root_alone: '{root} alone shows nothing. Write {example}.',
  no_column: '{path} is not a column of the datasource.',
  no_campaign_field: '{path} is not known of a campaign.',
  no_client_field: '{path} is not known of a client.',
  no_data_field: '{path} is not a field of this mail.',
  no_link: '{path} is no link of a mail.',
  name_unknown: '{path} is not known. Placeholders begin with member., campaign., client., link. or module.',
  value_long: 'A placeholder of this template makes a text too long.',
  loop_mail_long: 'A loop or condition of this template makes the mail too long.',
  loop_costly: 'A loop or condition of this template takes too much time or memory.',
  template_costly: 'This template takes too much time or memory.',
  loop_failed: 'A loop or condition of this template cannot be rendered with the data of this recipient.',
} as const

export type ContentFaultCode = keyof typeof contentFaults

/** The code and values of what was said of a content; null where it is none of the sentences above. */
export const readContentFault = sentenceReader<ContentFaultCode>(contentFaults)
