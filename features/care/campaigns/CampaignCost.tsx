import { formatCount } from '#kit/money.ts'
import styles from './campaigns.module.css'
import type { Preview } from './useCampaignDraft.tsx'

/** Whom it reaches and what it costs, counted live. */
export function CampaignCost({ preview, behind }: { preview: Preview | undefined; behind: boolean }) {
  if (!preview) return <dl className={styles.campaignFigures} aria-busy="true" />
  const { shops, disabled, notMobile, segments, segmentsMin, segmentsMax, balance, reserved, missing } =
    preview
  return (
    <dl className={styles.campaignFigures} aria-live="polite" aria-busy={behind}>
      <div data-strong data-problem={shops === 0 || undefined}>
        <dt>可发送商户</dt>
        <dd>{formatCount(shops)} 家</dd>
      </div>
      {disabled > 0 && (
        <div>
          <dt>不发送：已禁用</dt>
          <dd>{formatCount(disabled)} 家</dd>
        </div>
      )}
      {notMobile > 0 && (
        <div>
          <dt>不发送：账号不是手机号</dt>
          <dd>{formatCount(notMobile)} 家</dd>
        </div>
      )}
      <div>
        <dt>每条短信计费</dt>
        <dd>
          {segmentsMax === 0
            ? '—'
            : segmentsMin === segmentsMax
              ? `${segmentsMin} 条`
              : `${segmentsMin} 至 ${segmentsMax} 条`}
        </dd>
      </div>
      <div data-strong>
        <dt>预计计费</dt>
        <dd>{formatCount(segments)} 条</dd>
      </div>
      <div>
        <dt>短信余额</dt>
        <dd>{formatCount(balance)} 条</dd>
      </div>
      {reserved > 0 && (
        <div>
          <dt>其他群发待扣</dt>
          <dd>{formatCount(reserved)} 条</dd>
        </div>
      )}
      {missing > 0 ? (
        <div data-problem>
          <dt>还差</dt>
          <dd>{formatCount(missing)} 条</dd>
        </div>
      ) : (
        <div>
          <dt>发送后余额</dt>
          <dd>{formatCount(balance - segments)} 条</dd>
        </div>
      )}
    </dl>
  )
}
