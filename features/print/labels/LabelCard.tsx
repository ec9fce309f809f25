import { TEMPLATE_FIELDS } from '#features/print/print-templates/fields.ts'
import { TEMPLATE_STATES } from '#features/print/print-templates/rules.ts'
import { mmText } from '#kit/print/edit/draft.ts'
import type { Label } from '#kit/print/label.ts'
import { Button } from '#web/controls/Button.tsx'
import { IconMore } from '#web/controls/icons.tsx'
import { Link } from '#web/controls/Link.tsx'
import { look } from '#web/controls/look.ts'
import { Menu } from '#web/controls/Menu.tsx'
import { Permit } from '#web/controls/Permit.tsx'
import { StatusTag } from '#web/controls/StatusTag.tsx'
import { LabelPicture } from './LabelPicture.tsx'
import styles from './labels.module.css'
import type { LabelRow } from './labelsApi.tsx'
import { DESIGNER_PATH } from './rules.ts'
import type { LabelActions } from './useLabelActions.tsx'

type Props = { row: LabelRow; actions: LabelActions; isDrawn: boolean; isDeleted: boolean }

/** One template: its picture, what it is for, and what can be done with it. */
export function LabelCard({ row, actions, isDrawn, isDeleted }: Props) {
  const { id, name, state, publishedVersion } = row
  const label = row.content as Label
  const size = `${mmText(label.width)} × ${mmText(label.height)} mm`
  const picture = isDrawn && <LabelPicture label={label} name={name} />
  return (
    <li className={styles.card}>
      {isDeleted ? (
        <div className={styles.picture}>{picture}</div>
      ) : (
        <Link className={styles.picture} to={DESIGNER_PATH} search={{ id }} aria-label={`打开${name}`}>
          {picture}
        </Link>
      )}
      <div className={styles.facts}>
        <h2 title={name}>{name}</h2>
        <StatusTag tone={TEMPLATE_FIELDS.state.tones[state]}>
          {TEMPLATE_STATES[state]}
          {publishedVersion !== null && ` v${publishedVersion}`}
        </StatusTag>
        <p className={look.quiet}>
          {size} · {row.industryNames || '全部行业'}
          {row.isCustom && ' · 自定义'}
        </p>
      </div>
      <div className={styles.actions}>
        {isDeleted ? (
          <Permit permission="labels.edit">
            <Button kind="link" aria-label={`恢复${name}`} onClick={() => actions.undelete(row)}>
              恢复
            </Button>
          </Permit>
        ) : (
          <>
            <Permit permission="labels.edit">
              <Link to={DESIGNER_PATH} search={{ id }} aria-label={`编辑${name}`}>
                编辑
              </Link>
              <Button kind="link" aria-label={`复制${name}`} onClick={() => actions.copy(row)}>
                复制
              </Button>
              <Button kind="link" aria-label={`删除${name}`} onClick={() => actions.remove(row)}>
                删除
              </Button>
            </Permit>
            {actions.moreOf(row).length > 0 && (
              <Menu
                label={`${name}的更多操作`}
                className={styles.more}
                button={<IconMore />}
                align="end"
                items={actions.moreOf(row)}
              />
            )}
          </>
        )}
      </div>
    </li>
  )
}
