import { look } from '#web/controls/look.ts'
import { TextInput } from '#web/form/TextField.tsx'
import { VERIFICATION_LIMITS } from './rules.ts'
import styles from './verification.module.css'
import type { VerificationData } from './verificationApi.tsx'

const USUAL = ['与原件一致', '已电话核实', '说明属实，可以接受'] as const

type Props = {
  data: VerificationData
  answers: Readonly<Record<string, string>>
  onAnswer: (key: string, answer: string) => void
}

/** What speaks against the data, with what the filer says of it; whoever verifies says what they made of each. */
export function AnswerWarnings({ data: { warnings }, answers, onAnswer }: Props) {
  if (warnings.length === 0) return null
  return (
    <section className={styles.warnings} aria-label="需要核实的提示">
      <h4>通过前请逐条核实</h4>
      <ul>
        {warnings.map(({ key, text, explanation }) => (
          <li key={key}>
            <p className={styles.doubtful}>{text}</p>
            <p className={look.quiet}>{explanation ? `提交人说明：${explanation}` : '提交人没有说明'}</p>
            <TextInput
              aria-label={`核实意见：${text}`}
              placeholder="请输入核实意见"
              suggestions={USUAL}
              maxLength={VERIFICATION_LIMITS.explanation}
              value={answers[key] ?? ''}
              onChange={answer => onAnswer(key, answer)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}
