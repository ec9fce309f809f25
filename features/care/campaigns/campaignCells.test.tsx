// Which campaigns ask for a look.
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { show } from '#test/components/show.tsx'
import { CampaignState } from './campaignCells.tsx'

test('one that is done is a word alone, and a tag with its reason where it ended before its end', async () => {
  show(
    <>
      <CampaignState row={{ status: 'done', problem: '' }} />
      <CampaignState row={{ status: 'done', problem: '短信余额不足，其余 3 家商户未发送' }} />
    </>,
  )
  const [whole, part] = await screen.findAllByText('已完成')
  expect(whole?.dataset).not.toHaveProperty('tone')
  expect(part?.dataset).toMatchObject({ tone: 'attention', tip: '短信余额不足，其余 3 家商户未发送' })
})
