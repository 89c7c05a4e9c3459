import type { LexiconSeedRow } from './lexicon.ts';

/** Terms of the second edition, in the form of the first: what has innocent uses is *flag*. */
export const ADDED_ROWS: readonly LexiconSeedRow[] = [
  [
    'financial',
    'en',
    'block',
    'debt consolidation|debt relief|borrow money|lend money|money lender|money lenders|microfinance|' +
      'guaranteed income|guaranteed return|risk free profit|double your income|triple your money|earn from home|' +
      'easy money|fast money|quick money|multi level marketing|pyramid scheme|forex signals|forex broker|fx trading|' +
      'copy trading|margin trading|day trading|penny stocks|crypto mining|cloud mining|bitcoin mining|crypto trading|' +
      'token sale|baccarat|slot games|slots bonus|sportsbook|bookie|free bet|free bets',
  ],
  [
    'financial',
    'en',
    'flag',
    'instant credit|no credit check|lender|lenders|daily payout|get paid daily|poker|roulette|blackjack|bookmaker|' +
      'color game|gamble|gambler|debt|debts|borrow|borrowing|credit line|credit limit|credit score|interest rate|' +
      'interest rates|installment|financing|savings|dividends|portfolio|wager|raffle|ethereum|stablecoin|blockchain|' +
      'nft',
  ],
  [
    'financial',
    'zh',
    'block',
    '信贷|信貸|消费贷|消費貸|网上贷|網上貸|助贷|助貸|贷你|貸你|借钱|借錢|急用钱|急用錢|现金贷|現金貸|分期贷|分期貸|' +
      '免息借|秒批|无视征信|無視徵信|征信修复|徵信修復|债务重组|債務重組|以贷养贷|以貸養貸|高利贷|高利貸|贷款中介|' +
      '貸款中介|资金盘|資金盤|杀猪盘|殺豬盤|拉人头|拉人頭|日入过千|日入過千|躺赚|躺賺|喊单|喊單|跟单交易|跟單交易|' +
      '杠杆交易|槓桿交易|涨停|漲停|打新股|原始股|空投币|空投幣|炒币|炒幣|赌球|賭球|赌局|賭局|赌城|賭城|德州扑克|' +
      '德州撲克|捕鱼游戏|捕魚遊戲|棋牌平台|棋牌平臺|体育投注|體育投注|开户送金|開戶送金',
  ],
  [
    'financial',
    'zh',
    'flag',
    '爆仓|爆倉|挖矿|挖礦|利率|分期|股市|融资|融資|众筹|眾籌|以太坊|稳定币|穩定幣|欠款|催收|抽奖|抽獎|债券|債券|股息',
  ],
  [
    'financial',
    'fil',
    'block',
    'pagsusugal|magsugal|nagsusugal|sugarol|manunugal|sabungan|sabungero|larong pera|tongits na may pera|' +
      'pusoy na may pera|pataya|magpataya|tumaya|tayaan na|loteng|swertres|magpautang ng pera|pautang na pera|' +
      'pautang online|pautang agad|nagpapahiram ng pera|hiram pera|hiraman ng pera|manghiram ng pera|pautangan|' +
      'patubuan|patubo|sangla tira|sanglaan|sangla atm|kumita agad|kumita araw araw|kitang araw araw|malaking kita|' +
      'mabilis na kita|doble pera|dodoble ang pera|triple ang pera|tutubo ang pera|walang talo|siguradong panalo|' +
      'sure na kita|yumaman agad|madaling yumaman|extra kita online|negosyong pyramiding|mag invest na|panalong taya|' +
      'libreng taya',
  ],
  [
    'financial',
    'fil',
    'flag',
    'taya na|tubo|interes|kapital|hulog|kolateral|ipon|pondo|utangan|palitan ng pera|pusta|pustaan|ripa|paripa',
  ],
  [
    'realEstate',
    'en',
    'block',
    'townhouse for sale|farm lot|beach lot|beach lots|foreclosed property|foreclosed properties|house and lots|' +
      'commercial lot|commercial space for rent|office space for rent|warehouse for rent|warehouse for lease|' +
      'room for rent|rooms for rent|bedspace|apartment for lease|condo for lease|property viewing|site tripping|' +
      'property listing|property listings|realtor|realtors|estate agent|estate agents|columbarium|memorial park lot',
  ],
  [
    'realEstate',
    'en',
    'flag',
    'land developer|landlord|tenant|tenants|leasing|lease|rental|rent|floor plan|housing|amortization|downpayment|' +
      'penthouse|villa|duplex',
  ],
  [
    'realEstate',
    'zh',
    'block',
    '现房|現房|商品房|尾房|毛坯房|精装房|精裝房|法拍房|笋盘|筍盤|房源|房价直降|房價直降|房屋出售|别墅出售|別墅出售|' +
      '土地出售|商铺招租|商鋪招租|厂房出租|廠房出租|房屋出租|公寓招租|零首付|低首付|认筹|認籌|骨灰位|海外房产|海外房產',
  ],
  ['realEstate', 'zh', 'flag', '合租|短租公寓|墓地|房东|房東|租金|售房|租赁|租賃|土地|房屋|楼房|樓房|民宿'],
  [
    'realEstate',
    'fil',
    'block',
    'benta ng lupa|bentang lupa|lupang ibinebenta|ipinagbibiling lupa|ipinagbibiling bahay|binebentang bahay|' +
      'binebentang lupa|murang lupa|murang bahay at lupa|lote for sale|bentang lote|hulugang lupa|hulugang bahay|' +
      'hulugan na lote|paupahang lupa|paupahang kwarto|paupahang unit|paupahan na condo|kwarto na paupahan|' +
      'upahan na bahay|bahay na ibinebenta|bahay na benta|pabahay na hulugan|palupa|bukid na benta|bukirin for sale|' +
      'titulo ng lupa for sale|lupa na may titulo|libing na lote|sementeryong lote|condo na hulugan|' +
      'walang down na bahay',
  ],
  [
    'realEstate',
    'fil',
    'flag',
    'upa|umuupa|renta|kasero|kasera|nangungupahan|titulo|solar na lupa|amortisasyon|kwarto|ari arian',
  ],
  [
    'immigrationPolitics',
    'en',
    'block',
    'visa processing|visa sponsorship|second passport|fake passport|residency by investment|migration agent|' +
      'overseas jobs|overseas employment|job hiring abroad|caregiver abroad|vote for mayor|vote for senator|' +
      'campaign donation|straight ticket|oust the president|regime change|armed struggle|insurgency|insurgent|' +
      'insurgents|miting de avance|political rally',
  ],
  [
    'immigrationPolitics',
    'en',
    'flag',
    'express entry|migration consultant|domestic helper abroad|election campaign|martial law|uprising|dictator|' +
      'dictatorship|secession|ballot|ballots|polling place|precinct|comelec|congress|senate|vice mayor|councilor|' +
      'ruling party|activist|parliament|prime minister|referendum|plebiscite|refugee|asylum|deportation|consulate|' +
      'migrant|naturalization|citizenship',
  ],
  [
    'immigrationPolitics',
    'zh',
    'block',
    '护照快办|護照快辦|出国打工|出國打工|海外打工|境外务工|境外務工|劳务输出|勞務輸出|偷渡|假结婚|假結婚|难民申请|' +
      '難民申請|庇护申请|庇護申請|双重国籍|雙重國籍|买护照|買護照|黄金签证|黃金簽證|购房入籍|購房入籍|贿选|賄選|买票选|' +
      '買票選|弹劾|彈劾|打倒政府|反政府|叛乱|叛亂|分裂主义|分裂主義|静坐抗议|靜坐抗議|一党专政|一黨專政|台独|台獨|藏独|' +
      '藏獨|疆独|疆獨',
  ],
  [
    'immigrationPolitics',
    'zh',
    'flag',
    '罢免|罷免|独裁|獨裁|暴政|革命|起义|起義|示威|邪教|国会|國會|参议|參議|众议|眾議|市长|市長|省长|省長|内阁|內閣|' +
      '政党|政黨|难民|難民|遣返|公投|领事馆|領事館|居留',
  ],
  [
    'immigrationPolitics',
    'fil',
    'block',
    'trabaho sa abroad|trabaho sa dubai|trabaho sa japan|trabaho sa canada|trabaho sa korea|trabaho sa saudi|' +
      'hiring abroad|punta abroad|lipad abroad|visa agad|sure visa|visa na sigurado|tulong sa visa|pekeng pasaporte|' +
      'pekeng visa|mandarayuhan|pandarayuhan|dayo sa canada|iboto niyo|iboto ang|ihalal si|ihalal natin|ihalal ninyo|' +
      'suportahan ang kandidato|bilihan ng boto|benta ng boto|bayad boto|dayaan sa halalan|pekeng balota|' +
      'pabagsakin ang pamahalaan|patalsikin si|mag aklas|pag aaklas|aklasan|diktadura|kilusang armado',
  ],
  [
    'immigrationPolitics',
    'fil',
    'flag',
    'ibagsak|welga|kudeta|batas militar|diktador|rebelde|balota|presinto|senador|kongresista|kongreso|pulitiko|' +
      'politika|konsehal|punong barangay|dayuhan|pasaporte|embahada|protesta|rali',
  ],
  [
    'pornographic',
    'en',
    'block',
    'pornstar|porn star|sexting|sexual services|sex chat|webcam girls|camgirl|camgirls|topless|striptease|stripper|' +
      'x-rated|adult film|adult films|adult toys|dildo|threesome|orgy|fetish|bdsm|masturbation|boobs|brothel|sluts|' +
      'sugar babies|cialis|aphrodisiac|nuru massage|sensual massage|brothels|erotica',
  ],
  [
    'pornographic',
    'en',
    'flag',
    'adult content|vibrator|penis|vagina|escorts|hooker|whore|no strings attached|bikini|sensual|sexual|flirt|' +
      'naughty|seduce|cuddle|condom|condoms|genital',
  ],
  [
    'pornographic',
    'zh',
    'block',
    '黄片|黃片|黄色网站|黃色網站|成人网站|成人網站|无码视频|無碼影片|裸聊视频|裸聊影片|脱衣舞|脫衣舞|全裸|口交|肛交|' +
      '手淫|自慰|阴道|陰道|阴茎|陰茎|巨乳|爆乳|迷药|迷藥|伟哥|偉哥|性伴侣|性伴侶|炮友|开房约|開房約|外围女|外圍女|楼凤|' +
      '樓鳳|嫩模|莞式|成人直播',
  ],
  [
    'pornographic',
    'zh',
    'flag',
    '偷拍|露点|露點|桑拿服务|桑拿服務|同城约|同城約|上门按摩|上門按摩|会所服务|會所服務|内衣|內衣|比基尼|撩妹|暧昧|' +
      '曖昧|避孕套|安全套|私密|写真|寫真|热舞|熱舞|夜店',
  ],
  [
    'pornographic',
    'fil',
    'block',
    'bold na video|bold na pelikula|bold na larawan|video na bastos|malaswang video|malaswang larawan|malaswa|' +
      "kalaswaan|hubo't hubad|nakahubad|maghubad|hubaran|kantutan video|kumantot|nagkantutan|chupa|tsupa|salsal|" +
      'nagsasalsal|jakulan|burat|bilat|malaking suso|tamod|libugan|nalilibugan|kalibugan|putahan|bayarang babae|bugaw|' +
      'kabit hanap|masahe na may extra|extra serbisyo|aliwan ng lalaki|bosohan|chicks na hot',
  ],
  [
    'pornographic',
    'fil',
    'flag',
    'titi|suso|boso|kaseksihan|landi|nilalandi|harutan|halikan|pantasya|makipag date|sabik|bra at panty',
  ],
  [
    'violent',
    'en',
    'block',
    'murderers|contract killer|hired killer|killing spree|shoot you|stab you|pipe bomb|bombings|detonator|' +
      'rifle for sale|pistol for sale|firearms for sale|ghost gun|molotov|decapitate|genocide|gang rape|rapist|' +
      'ecstasy pills|meth|fentanyl|drug dealer|party drugs|abu sayyaf|jihad|suicide bomber|mass shooting|' +
      'school shooting|lynching',
  ],
  [
    'violent',
    'en',
    'flag',
    'murderer|assassin|death threat|death threats|bombing|hostage|hostages|dismember|extortion|human trafficking|' +
      'assassins|pistol|rifle|bullet|bullets|dagger|machete|stab|stabbed|assault|riot|explosion|corpse|narcotics|opium|' +
      'overdose|dynamite',
  ],
  [
    'violent',
    'zh',
    'block',
    '杀手|殺手|杀光|殺光|砍死|打死你|弄死|灭门|滅門|行刺|分尸|分屍|投毒|下毒|汽油弹|汽油彈|雷管|自制炸|自製炸|' +
      '人体炸弹|人體炸彈|圣战|聖戰|恐袭|恐襲|贩毒|販毒|吸毒|制毒|製毒|海洛英|K粉|麻古|罂粟|罌粟|鸦片|鴉片|仿真枪|' +
      '仿真槍|子弹出售|子彈出售|人口贩卖|人口販賣|轮奸|輪姦|迷奸|迷姦|撕票|打砸抢|打砸搶',
  ],
  [
    'violent',
    'zh',
    'flag',
    '人质|人質|气枪|氣槍|子弹|子彈|匕首|砍刀|刺杀|刺殺|殴打|毆打|家暴|霸凌|血案|尸体|屍體|爆炸|枪击|槍擊|毒药|毒藥',
  ],
  [
    'violent',
    'fil',
    'block',
    'papatayin ka|papatayin namin|patayin si|pumapatay|mamatay ka|mamamatay ka|bala for sale|baril na benta|' +
      'bentang baril|bumili ng baril|barilin|babarilin|binaril|saksakin kita|sasaksakin|sinaksak|pugutan ng ulo|' +
      'tatagain|tagain|bugbugin|bubugbugin|susunugin ko|pasasabugin ang|gumawa ng bomba|gawang bomba|magtanim ng bomba|' +
      'gahasain|ginahasa siya|nanggahasa|dudukutin|kidnapin|hostahin|pantubos ng bihag|bihag|terorismo|shabu for sale|' +
      'bentahan ng droga|tulak ng droga|nagtutulak ng droga|batak droga|tortyur|lasunin',
  ],
  [
    'violent',
    'fil',
    'flag',
    'pinatay|patalim|kutsilyo|bala|barilan|saksakan|suntukan|dahas|karahasan|pagpatay|namatay|bangkay|digmaan|' +
      'sandata|pagsabog|sabog',
  ],
];

/** Phrases that free a term of the second edition; see the exemptions of the first. */
export const ADDED_EXEMPTIONS: Readonly<Record<string, string>> = {
  民宿: '市民宿舍',
  现房: '现房间|出现房',
  口交: '口交通|口交费|口交費|口交货|口交貨|口交付|口交易|口交界|口交汇|口交匯|口交叉|口交接|口交警|口交给|口交給|口交流|口交换|口交換',
  秒批: '秒批量',
  台独: '台独家|台独立|台独有|台独享|台独特',
  台獨: '台獨家|台獨立|台獨有|台獨享|台獨特',
  分期: '部分期',
  人质: '人质量|人质疑|人质地',
  人質: '人質量|人質疑|人質地',
  家暴: '家暴雨|家暴风|家暴風|家暴涨|家暴漲',
  市长: '市长期|市长假',
  市長: '市長期|市長假',
  省长: '省长途',
  省長: '省長途',
  国会: '国会员|国会展',
  國會: '國會員|國會展',
  土地: '本土地|土地道',
  催收: '催收货|催收貨',
  利率: '便利率|利率先',
  夜店: '夜店铺|夜店鋪|夜店员|夜店員',
  K粉: 'K粉丝|K粉色',
  麻古: '芝麻古',
  杀手: '杀手锏|杀手级',
  殺手: '殺手鐧|殺手級',
  自慰: '自慰问|自慰問',
  信贷: '相信贷',
  现金贷: '现金贷记',
  stripper: 'wire stripper|paint stripper',
  rent: 'rent a car|car rent',
  房东: '房东侧|房东门',
  房東: '房東側|房東門',
  租赁: '汽车租赁',
};
