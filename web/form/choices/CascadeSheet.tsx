import { useState } from 'react'
import { cleanSearch } from '#kit/words/cleaned.ts'
import { Button } from '../../controls/Button.tsx'
import type { ControlProps } from '../Field.tsx'
import styles from './ChoiceSheet.module.css'
import { ChoiceSheet, SheetEntries } from './ChoiceSheet.tsx'

export type Step = { code: string; name: string; children?: Step[] }

type Props = Partial<ControlProps> & {
  name: string
  'aria-label'?: string | undefined
  placeholder?: string | undefined
  disabled?: boolean | undefined
  options: readonly Step[] | undefined
  /** The codes from the first step to the chosen one. */
  path: readonly string[] | undefined
  /** The steps that stand open where nothing is chosen. */
  startAt: readonly string[] | undefined
  onChange: (path: readonly string[]) => void
  /** A step before the last may be chosen too. */
  anyStep: boolean
  matches: (typed: string, steps: readonly Step[]) => boolean
  textOf: (names: readonly string[]) => string
  notFound?: string | undefined
}

const MOST_FOUND = 50

/** One of a tree in a sheet: step by step, or found by typing. */
export function CascadeSheet(props: Props) {
  const { name, options, path, startAt, onChange, anyStep, matches, textOf, notFound, ...control } = props
  const [typed, setTyped] = useState('')
  const [entered, setEntered] = useState<readonly string[] | null>(null)
  const chosen = stepsOf(options ?? [], path ?? [])
  // A last step has nothing below it that could be entered.
  const open = stepsOf(options ?? [], entered ?? path ?? startAt ?? []).filter(({ children }) => children)
  const wanted = cleanSearch(typed)
  const below = open.at(-1)?.children ?? options
  const entries =
    wanted === ''
      ? below?.map(step => entryOf([...open, step], step.name, path))
      : found(options ?? [], wanted, matches, anyStep).map(steps => ({
          ...entryOf(steps, textOf(steps.map(step => step.name)), path),
          isFolder: false,
        }))
  const leave = (close: () => void) => {
    setTyped('')
    setEntered(null)
    close()
  }
  return (
    <ChoiceSheet
      {...control}
      name={name}
      shown={path && chosen.length > 0 ? textOf(chosen.map(step => step.name)) : undefined}
      onClear={() => onChange([])}
    >
      {close => (
        <SheetEntries
          name={name}
          typed={typed}
          onType={setTyped}
          entries={entries}
          notFound={notFound}
          head={
            wanted === '' &&
            open.length > 0 && (
              <div className={styles.steps}>
                <Button onClick={() => setEntered(codesOf(open.slice(0, -1)))}>返回上一级</Button>
                <span>{textOf(open.map(step => step.name))}</span>
                {anyStep && (
                  <Button
                    onClick={() => {
                      onChange(codesOf(open))
                      leave(close)
                    }}
                  >
                    选择{open.at(-1)?.name}
                  </Button>
                )}
              </div>
            )
          }
          onChoose={({ steps, isFolder }) => {
            if (isFolder) return setEntered(codesOf(steps))
            onChange(codesOf(steps))
            leave(close)
          }}
        />
      )}
    </ChoiceSheet>
  )
}

const codesOf = (steps: readonly Step[]) => steps.map(({ code }) => code)

function entryOf(steps: readonly Step[], text: string, path: readonly string[] | undefined) {
  const last = steps.at(-1)
  return {
    steps,
    key: codesOf(steps).join(),
    text,
    isFolder: last?.children !== undefined,
    isChosen: last !== undefined && path?.[steps.length - 1] === last.code,
  }
}

function stepsOf(options: readonly Step[], path: readonly string[]): Step[] {
  const steps: Step[] = []
  for (const code of path) {
    const step = (steps.at(-1)?.children ?? options).find(one => one.code === code)
    if (!step) break
    steps.push(step)
  }
  return steps
}

function found(
  options: readonly Step[],
  typed: string,
  matches: Props['matches'],
  anyStep: boolean,
): (readonly Step[])[] {
  const all: (readonly Step[])[] = []
  const walk = (among: readonly Step[], before: readonly Step[]) => {
    for (const step of among) {
      if (all.length === MOST_FOUND) return
      const steps = [...before, step]
      if ((anyStep || !step.children) && matches(typed, steps)) all.push(steps)
      walk(step.children ?? [], steps)
    }
  }
  walk(options, [])
  return all
}
