import type { LexiconEntry, LexiconSeedRow } from './lexicon.ts';
import { ADDED_EXEMPTIONS, ADDED_ROWS } from './lexicon-additions.ts';

/**
 * Initial terms of a new installation. *Block* contains terms that hardly occur in lawful traffic of other kinds; words
 * with many innocent uses are *flag*, for a reviewer to judge.
 */
const ROWS: readonly LexiconSeedRow[] = [
  [
    'financial',
    'en',
    'block',
    'loan|loans|lending|quick cash|easy cash|fast cash|cash advance|payday advance|salary advance|credit card offer|' +
      'pre-approved credit|guaranteed returns|guaranteed profit|double your money|passive income|get rich|' +
      'make money fast|forex|forex trading|stock tips|stock pick|stock picks|hot stocks|trading signals|binary options|' +
      'crypto investment|bitcoin investment|invest now|investment opportunity|high yield|ponzi|pyramiding|casino|' +
      'online casino|gambling|sports betting|place your bet|slot machine|free spins|jackpot slots|lottery tickets',
  ],
  [
    'financial',
    'en',
    'flag',
    'bank|credit card|mortgage|refinance|insurance|investment|invest|investor|securities|stocks|shares|dividend|' +
      'mutual fund|trading|crypto|cryptocurrency|bitcoin|usdt|collateral|pawn|remittance|betting|bet|lotto|lottery|' +
      'jackpot|e-sabong|sabong|bingo',
  ],
  [
    'financial',
    'zh',
    'block',
    '贷款|貸款|借款|借贷|借貸|网贷|網貸|小额贷|小額貸|信用贷|抵押贷|房贷|车贷|无抵押|無抵押|秒到账贷|放款|下款|套现|套現|' +
      '刷单|配资|配資|荐股|薦股|牛股|炒股|股票推荐|内幕消息|外汇交易|外匯交易|炒外汇|期货|期貨|稳赚|穩賺|高收益|保本收益|' +
      '虚拟货币|虛擬貨幣|比特币投资|博彩|赌博|賭博|赌场|賭場|彩票|六合彩|时时彩|百家乐|百家樂|老虎机|下注|返利投资|传销|信用卡提额|代办信用卡',
  ],
  [
    'financial',
    'zh',
    'flag',
    '股票|基金|理财|理財|投资|投資|保险|保險|证券|證券|信用卡|额度|額度|利息|外汇|外匯|比特币|比特幣|数字货币|区块链|黄金|原油|银行|銀行',
  ],
  [
    'financial',
    'fil',
    'block',
    'pautang|magpautang|nagpapautang|utang agad|mangutang|umutang|pahiram ng pera|madaliang pera|mabilis na pera|' +
      'pera agad|kumita ng malaki|doblehin ang pera|siguradong kita|sugal|pasugalan|sugalan|online sabong|tayaan|' +
      'tumaya na|jueteng|5-6 lending',
  ],
  ['financial', 'fil', 'flag', 'utang|puhunan|pamumuhunan|sangla|prenda|bangko|taya|tupada|paluwagan|pustahan'],
  [
    'realEstate',
    'en',
    'block',
    'real estate|realty|house and lot|house & lot|lot for sale|lots for sale|house for sale|houses for sale|' +
      'condo for sale|condos for sale|condominium for sale|property for sale|properties for sale|land for sale|' +
      'pre-selling|preselling|pre-selling condo|rent to own|property investment|memorial lot|' +
      'ready for occupancy|apartment for rent|condo for rent|house for rent|office space for lease',
  ],
  [
    'realEstate',
    'en',
    'flag',
    'condo|condominium|townhouse|subdivision|property|properties|broker|for lease|apartment|reservation fee|no down payment',
  ],
  [
    'realEstate',
    'zh',
    'block',
    '房地产|房地產|楼盘|樓盤|购房|購房|买房|買房|卖房|賣房|售楼|售樓|开盘|開盤|新房源|二手房|学区房|海景房|公寓出售|公寓出租|' +
      '商铺出售|写字楼出租|首付|看房|置业|置業|不动产|不動產|炒房|地皮',
  ],
  ['realEstate', 'zh', 'flag', '房产|房產|公寓|别墅|別墅|楼市|樓市|商铺|商鋪|写字楼|租房|物业|物業|户型|戶型|中介'],
  [
    'realEstate',
    'fil',
    'block',
    'bahay at lupa|lupang benta|benta lupa|lupa for sale|benta bahay|bahay for sale|ibinebentang bahay|' +
      'ibinebentang lupa|paupahang bahay|bahay na paupahan|lote na benta',
  ],
  ['realEstate', 'fil', 'flag', 'lupa|lote|paupahan|pabahay|hulugan|bahay'],
  [
    'immigrationPolitics',
    'en',
    'block',
    'immigration|immigrate|migrate to|permanent residency|permanent resident|green card|golden visa|citizenship by investment|' +
      'visa assistance|visa guaranteed|guaranteed visa|work visa|work abroad|jobs abroad|' +
      "vote straight|vote buying|re-elect|reelect|campaign rally|overthrow|coup d'etat|" +
      'sedition|separatist|impeach|impeachment|communist party|new peoples army',
  ],
  [
    'immigrationPolitics',
    'en',
    'flag',
    'visa|passport|embassy|vote|votes|voter|voters|election|elections|candidate|candidates|senator|congressman|' +
      'congresswoman|mayor|governor|president|politician|political|party list|partylist|protest|rally|coup|revolution|rebellion|no placement fee',
  ],
  [
    'immigrationPolitics',
    'zh',
    'block',
    '移民|绿卡|綠卡|永久居留|永居|入籍|投资移民|投資移民|海外身份|办理签证|代办签证|代辦簽證|包签|出国劳务|出國勞務|' +
      '投票给|投票給|选举拉票|拉票|政变|政變|颠覆|顛覆|推翻政府|独立运动|分裂国家|游行示威|遊行示威|罢工|共产党|共產黨|法轮功|法輪功',
  ],
  [
    'immigrationPolitics',
    'zh',
    'flag',
    '签证|簽證|护照|護照|大使馆|大使館|选举|選舉|投票|候选人|候選人|总统|總統|议员|議員|政府|政治|抗议|抗議|主席',
  ],
  [
    'immigrationPolitics',
    'fil',
    'block',
    'iboto|iboto si|iboto natin|iboto ninyo|bumoto para|boto para kay|bilhan ng boto|himagsikan|rebolusyon|' +
      'pabagsakin|patalsikin|trabaho abroad|trabaho sa ibang bansa',
  ],
  [
    'immigrationPolitics',
    'fil',
    'flag',
    'boto|botohan|bumoto|halalan|eleksyon|kandidato|pangulo|alkalde|gobernador|pulitika|pamahalaan|kilos protesta',
  ],
  [
    'pornographic',
    'en',
    'block',
    'porn|porno|pornography|xxx video|xxx videos|sex|sexy girls|sex video|sex videos|sex toy|sex toys|nude|nudes|naked|' +
      'hot girls|horny|escort service|escort girls|call girl|call girls|prostitute|prostitution|erotic|hentai|blowjob|' +
      'orgasm|onlyfans|cam girl|cam girls|hookup|hookups|adult video|adult videos|sugar daddy|sugar baby|happy ending massage|' +
      'extra service|one night stand|viagra|strip club|strippers',
  ],
  [
    'pornographic',
    'en',
    'flag',
    'sexy|escort|massage|online dating|dating site|dating app|singles|adult|lingerie|intimate|seductive|lonely|kiss',
  ],
  [
    'pornographic',
    'zh',
    'block',
    '色情|黄色视频|成人视频|成人影片|成人用品|裸聊|裸体|裸體|裸照|约炮|約炮|一夜情|援交|包夜|招嫖|嫖娼|卖淫|賣淫|妓女|小姐服务|' +
      '上门服务妹|情色|三级片|三級片|做爱|做愛|性爱|性愛|性服务|性服務|性交|激情视频|壮阳|壯陽|催情|春药|春藥|包养|包養|A片',
  ],
  ['pornographic', 'zh', 'flag', '性感|按摩|交友|美女|寂寞|成人|约会|約會|单身|單身|情趣|诱惑|誘惑'],
  [
    'pornographic',
    'fil',
    'block',
    'kantot|kantutan|jakol|iyot|iyutan|hubad na babae|hubad|malibog|libog|bomba film|pokpok|puta|pakantot|' +
      'sex scandal|bold movie',
  ],
  ['pornographic', 'fil', 'flag', 'seksi|masahe|halik|malandi|walang saplot'],
  [
    'violent',
    'en',
    'block',
    'kill you|kill them|murder|assassinate|assassination|hitman|gun for sale|guns for sale|firearm for sale|buy guns|' +
      'ammunition for sale|explosives|grenade|grenades|bomb threat|car bomb|make a bomb|behead|beheading|massacre|terrorist|terrorism|' +
      'terror attack|suicide bomb|rape|kidnap|kidnapping|ransom|torture|shabu|methamphetamine|cocaine|heroin|marijuana for sale',
  ],
  [
    'violent',
    'en',
    'flag',
    'kill|killer|gun|guns|weapon|weapons|firearm|firearms|ammunition|bomb|bombs|knife|blood|attack|shoot|violence|suicide|drugs|marijuana|war',
  ],
  [
    'violent',
    'zh',
    'block',
    '杀人|殺人|谋杀|謀殺|暗杀|暗殺|枪支|槍支|买枪|買槍|弹药|彈藥|炸药|炸藥|炸弹|炸彈|手榴弹|爆炸物|恐怖袭击|恐怖襲擊|恐怖分子|斩首|斬首|' +
      '屠杀|屠殺|绑架|綁架|赎金|贖金|强奸|強姦|酷刑|冰毒|海洛因|可卡因|大麻|摇头丸|毒品|砍人|雇凶',
  ],
  ['violent', 'zh', 'flag', '暴力|武器|刀具|血腥|自杀|自殺|枪|槍|打架|复仇|復仇|威胁|威脅|战争|戰爭|杀|殺'],
  [
    'violent',
    'fil',
    'block',
    'papatayin|papatayin kita|patayin|pumatay|mamamatay tao|baril for sale|benta baril|benta ng baril|pasabugin|' +
      'pasasabugin|granada|gahasa|ginahasa|dukutin|dinukot|pugutan|terorista|saksakin|bomba sa',
  ],
  ['violent', 'fil', 'flag', 'patay|baril|bomba|dugo|saksak|armas|droga'],
];

/**
 * Phrases that exempt the term they contain. Many Chinese ones only seem to contain it, because it spans two words:
 * 以下|注意, 宣传|销售, 一次性|交付.
 */
const EXEMPTIONS: Readonly<Record<string, string>> = {
  bank: 'bank holiday|bank holidays|food bank|power bank|river bank|data bank|eye bank',
  blood: 'blood bank|blood donation|blood test|blood type|blood pressure|blood sugar|blood drive',
  loan: 'library loan|interlibrary loan|inter-library loan|book loan|loan of books|equipment loan',
  loans: 'library loans',
  visa: 'visa card|visa debit|visa credit',
  sex: 'sex education|same sex',
  bomb: 'bath bomb|cherry bomb|photo bomb',
  bombs: 'bath bombs',
  gun: 'glue gun|heat gun',
  guns: 'glue guns',
  massage: 'massage gun|massage guns',
  escort: 'security escort|police escort',
  nude: 'nude lipstick|nude shade|nude shades|nude color|nude heels',
  attack: 'heart attack',
  knife: 'knife set|kitchen knife',
  bet: 'best bet',
  trading: 'trading hours',
  shares: 'shares his',
  property: 'lost property|intellectual property',
  president: 'class president|vice president of sales',
  kill: 'kill time',
  adult: 'adult ticket|adult tickets|adult fare|per adult',
  war: 'war room',
  revolution: 'industrial revolution',
  stocks: 'stocks last|while stocks last',
  rally: 'rally bike',
  下注: '下注意|以下注',
  下款: '下款式|以下款|下款项',
  放款: '放款项',
  开盘: '开盘点',
  传销: '宣传销售|传销量',
  配资: '分配资|配资源|配资料',
  期货: '期货物|期货品|期货源|期货款|期货号',
  性交: '性交付|性交清|性交纳|性交流|性交换|性交互|性交货|性交通|性交友',
  性爱: '性爱好',
  做爱: '做爱心',
  情色: '情色彩',
  包夜: '包夜宵',
  大麻: '大麻烦|大麻花',
  看房: '房间|看房型|看房号',
  银行: '银行假日',
  銀行: '銀行假日',
  保险: '保险丝|保险箱|保险杠',
  保險: '保險絲|保險箱',
  杀: '杀毒|杀菌|抹杀',
  殺: '殺毒|殺菌',
  枪: '水枪|喷枪',
  槍: '水槍',
  成人: '成人票',
  黄金: '黄金周|黄金时间|黄金时段|黄金会员',
  bahay: 'bahay kubo|sa bahay|bahay kainan',
  patay: 'patay sindi',
  bangko: 'bangko ng dugo',
  买房: '房间',
  购房: '房间',
  卖房: '房间',
  買房: '房間',
  購房: '房間',
};

const toEntries = (
  rows: readonly LexiconSeedRow[],
  exemptions: Readonly<Record<string, string>>,
): readonly LexiconEntry[] =>
  rows.flatMap(([category, lang, level, terms]) =>
    terms.split('|').map((term) => {
      const exempt = exemptions[term]?.split('|');
      return { term, lang, category, level, ...(exempt === undefined ? {} : { exempt }) };
    }),
  );

/**
 * The default rows in the order of their releases. The database is seeded with each edition once and staff edit the rows
 * there, so an edition that was released never changes: further terms are another one.
 */
export const lexiconEditions: readonly (readonly LexiconEntry[])[] = /* @__PURE__ */ [
  /* @__PURE__ */ toEntries(ROWS, EXEMPTIONS),
  /* @__PURE__ */ toEntries(ADDED_ROWS, ADDED_EXEMPTIONS),
];

export const defaultLexicon: readonly LexiconEntry[] = /* @__PURE__ */ lexiconEditions.flat();
