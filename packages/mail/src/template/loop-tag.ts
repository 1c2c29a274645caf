import { type Context, CycleTag, type Emitter, ForTag, type Scope, type Template } from 'liquidjs'

/** `{% for %}` of liquidjs with `forloop.parentloop`, as in Liquid: the enclosing loop, or undefined. */
export class LoopTag extends ForTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void | string, Template[]> {
    const parentloop: unknown = context.getSync(['forloop'])
    const push = context.push.bind(context)
    // The scope with `forloop` is the first pushed scope that has a loop.
    context.push = (scope: Scope) => {
      if ('forloop' in scope) {
        context.push = push
        Object.assign(scope.forloop, { parentloop })
      }
      return push(scope)
    }
    try {
      return yield* super.render(context, emitter)
    } finally {
      context.push = push
    }
  }
}

/** Key under which liquidjs stores the position of a loop; null for other tags. */
export function loopKey(template: Template): string | null {
  return template instanceof ForTag ? `${template.variable} ${template.collection.getText()}` : null
}

/** Returns the keys of loops that continue an earlier one (`offset: continue`). */
export function continuedLoops(templates: readonly Template[]): ReadonlySet<string | null> {
  return new Set(templates.filter(one => continues(one)).map(one => loopKey(one)))
}

/** True for tags in which the word `continue` is not a name. */
export function continues(template: Template): boolean {
  if (!(template instanceof ForTag)) return false
  const { offset } = template.hash.hash
  return typeof offset === 'object' && offset.getText() === 'continue'
}

export function isCycle(template: Template): boolean {
  return template instanceof CycleTag
}
