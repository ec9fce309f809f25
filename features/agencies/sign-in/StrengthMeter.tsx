import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { useEffect, useState } from 'react'
import { busyWhile } from '#web/client/ready.ts'
import { CONTEXT_WORDS, isCommonest, JUDGED_LENGTH, STRENGTHS, strengthOf } from './rules.ts'
import styles from './strength.module.css'

type Props = {
  password: string
  /** What everybody knows of the account. */
  words?: readonly string[]
}

/** How soon the password would be guessed, in words; the list it judges by comes when there is something to judge. */
export function StrengthMeter({ password, words = [] }: Props) {
  const judge = useJudge(password !== '')
  if (password === '' || judge === null) return null
  const { guessesLog10 } = judge.check(password.slice(0, JUDGED_LENGTH), [...words, ...CONTEXT_WORDS])
  const strength = isCommonest(password) ? 0 : strengthOf(guessesLog10)
  return (
    <p className={styles.strength} data-strength={strength} role="status">
      <span aria-hidden="true">
        {STRENGTHS.map((name, step) => (
          <i key={name} data-on={step <= strength || undefined} />
        ))}
      </span>
      密码强度：{STRENGTHS[strength]}
      {strength === 0 && '，容易被猜到'}
    </p>
  )
}

function useJudge(wanted: boolean): ZxcvbnFactory | null {
  const [judge, setJudge] = useState<ZxcvbnFactory | null>(null)
  useEffect(() => {
    if (!wanted || judge) return
    let live = true
    const load = async () => {
      const [core, common] = await Promise.all([
        import('@zxcvbn-ts/core'),
        import('@zxcvbn-ts/language-common'),
      ])
      const { dictionary, adjacencyGraphs: graphs } = common
      if (live) setJudge(new core.ZxcvbnFactory({ dictionary, graphs }))
    }
    // Without it the server judges alone.
    busyWhile(load()).catch(() => undefined)
    return () => {
      live = false
    }
  }, [wanted, judge])
  return judge
}
