// The members of a JSON text exactly as they were written: what is signed are the characters, not what they mean. Pure.

/** `start` is at the opening quote; answers the place behind the closing one. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at] as string
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') depth++
    else if (depth === 0 && (character === ',' || character === '}')) return at
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return text.length
}

/** The members of a JSON object with their values exactly as written; null where it is no object, or a name comes twice. */
export function rawMembers(text: string): Map<string, string> | null {
  const whole = parsedObject(text)
  if (!whole) return null
  const members = new Map<string, string>()
  let at = text.indexOf('{') + 1
  for (;;) {
    const nameStart = text.indexOf('"', at)
    if (nameStart < 0) return members
    const nameEnd = endOfString(text, nameStart)
    const name = JSON.parse(text.slice(nameStart, nameEnd)) as string
    const valueStart = text.indexOf(':', nameEnd) + 1
    const value = text.slice(valueStart)
    const leading = value.length - value.trimStart().length
    at = endOfValue(text, valueStart + leading)
    if (members.has(name)) return null
    members.set(name, text.slice(valueStart + leading, at).trimEnd())
  }
}

/** Null where the text is no JSON object. */
export function parsedObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
