// Texts with places that are filled when they are sent: ${name}. Pure.

export type Placeholder = { readonly name: string; readonly label: string }

export const placeholder = (name: string) => `\${${name}}`

const OPENING = '\u0024{'
const PLACES = /\$\{(\w*)\}/g

/** The names of the places, each once, in their order. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACES)].map(match => match[1] ?? ''))]
}

/** Why a text cannot be filled with exactly what there is for it, or null. */
export function flawOfPlaceholders(
  label: string,
  text: string,
  known: readonly Placeholder[],
): string | null {
  const named = placeholdersIn(text)
  const unknown = named.find(name => !known.some(one => one.name === name))
  if (unknown !== undefined) return `${label}的占位符 ${placeholder(unknown)} 无法识别`
  if (text.replace(PLACES, '').includes(OPENING)) return `${label}有未写完整的占位符`
  const missing = known.find(({ name }) => !named.includes(name))
  return missing ? `${label}缺少占位符 ${placeholder(missing.name)}（${missing.label}）` : null
}

/** The text with each place filled; one without a value stays, which no caller may send. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACES, (place, name: string) => values[name] ?? place)
}

/** The text as a person sees it before anything is known: what each place is called. */
export function sampled(text: string, known: readonly Placeholder[]): string {
  return filled(text, Object.fromEntries(known.map(({ name, label }) => [name, `【${label}】`])))
}
