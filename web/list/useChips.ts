import { type Filter, filterText, paramsOf } from '#kit/declare/list.ts'
import type { ActiveFilter } from './list-props.ts'
import type { Options } from './options.ts'

type Params = Readonly<Record<string, unknown>>

/** What is filtered, in words. Names of ids are asked for only where one is filtered. The filters stay the same while it is shown. */
export function useChips(
  filters: Readonly<Record<string, Filter>>,
  options: Readonly<Record<string, Options>>,
  params: Params,
): ActiveFilter[] {
  const chips = Object.entries(filters).map(([key, filter]) => {
    const from = options[key]
    // biome-ignore lint/correctness/useHookAtTopLevel: the same hooks in the same order at each drawing.
    const name = useName(from, params[key] as number | undefined)
    const text = name ?? filterText(key, filter, params)
    const names = [...paramsOf(key, filter), ...(filter.clears ?? [])]
    return text === null ? null : { key, label: filter.chip ?? filter.label, text, params: names }
  })
  return chips.filter(chip => chip !== null)
}

function useName(from: Options | undefined, id: number | undefined): string | undefined {
  if (!from) return undefined
  // biome-ignore lint/correctness/useHookAtTopLevel: the options stay the same as well.
  if ('useName' in from) return from.useName(id)
  // biome-ignore lint/correctness/useHookAtTopLevel: as above.
  const rows = from.useRows(id !== undefined)
  return id === undefined ? undefined : rows?.find(row => row.id === id)?.name
}
