/**
 * Functions of published packages by their signature, and what each does.
 *
 * Used where the code does not show it: a setter of a price source looks like any other setter.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { PowerEffect } from '../../../../vocabulary/powers.ts'
import type { Hex } from '../../lib/hex.ts'

const list = (text: string): readonly string[] => text.trim().split(/\s+/)

const BY_EFFECT: Readonly<Partial<Record<PowerEffect, readonly string[]>>> = {
  upgrade: list(`
    upgradeTo(address) upgradeToAndCall(address,bytes) upgrade(address,address) upgradeAndCall(address,address,bytes)
    diamondCut((address,uint8,bytes4[])[],address,bytes) setImplementation(address) _setImplementation(address,bool,bytes)
    _setPendingImplementation(address) setBeacon(address) changeImplementation(address) setTarget(address)
    _setImplementation(address) updateImplementation(address) updateAndCall(address,bytes)
    setLogic(address) upgradeImplementation(address) setCode(bytes) setPendingImplementation(address)`),
  execute: list(`
    execute(address,uint256,bytes) execute(bytes) execute(address,bytes) executeCall(address,uint256,bytes)
    executeBatch((address,uint256,bytes)[]) executeBatch(address[],uint256[],bytes[],bytes32,bytes32)
    execute(address,uint256,bytes,bytes32,bytes32) executeTransaction(address,uint256,string,bytes,uint256)
    execTransactionFromModule(address,uint256,bytes,uint8) execTransactionFromModuleReturnData(address,uint256,bytes,uint8)
    relay(address,uint256,bytes) forward(address,uint256,bytes) functionCall(address,bytes) arbitraryCall(address,bytes)
    call(address,uint256,bytes) delegate(address,bytes) exec(address,bytes) execute(bytes32,bytes) exec(address,bytes32,bytes,uint256)
    executeDelegatecall(address,bytes) executeTransaction(address,uint256,string,bytes,uint256,bool)`),
  mint: list(`
    mint(address,uint256) mint(uint256) mint(address,uint256,bytes) mint(address,uint256,uint256,bytes)
    mintTo(address,uint256) mintBatch(address,uint256[],uint256[],bytes) safeMint(address,uint256) safeMint(address)
    safeMint(address,string) issue(uint256) issue(address,uint256) _mint(address,uint256) mint(address)
    issueTokens(address,uint256) crosschainMint(address,uint256) bridgeMint(address,uint256) l1Mint(address,uint256)
    mint(address,uint256,bytes32) mintToken(address,uint256) mintToTreasury(uint256,uint256) mint(address,address,uint256,uint256) increaseSupply(uint256)
    generateTokens(address,uint256) mintWithTokenURI(address,uint256,string) controllerMint(address,uint256) suck(address,address,uint256)`),
  move_funds: list(`
    rescue(address,address,uint256) rescueERC20(address,address,uint256) rescueTokens(address,uint256) rescueToken(address)
    rescueTokens(address,address,uint256) recoverERC20(address,uint256) recoverToken(address,uint256) sweep(address)
    sweepToken(address) sweep(address,address) sweep(address,uint256) sweepTokens(address,address,uint256)
    withdrawTo(address,uint256) withdrawToken(address,uint256) withdrawTokens(address,address,uint256) emergencyWithdraw(address,uint256)
    emergencyTokenTransfer(address,address,uint256) emergencyEtherTransfer(address,uint256) burn(address,uint256)
    burnFrom(address,uint256) forceTransfer(address,address,uint256) controllerTransfer(address,address,uint256,bytes,bytes)
    controllerTransfer(address,address,uint256) clawback(address,uint256) wipeFrozenAddress(address) destroyBlackFunds(address)
    wipeBlacklistedAccount(address) seize(address,uint256) skim(address) reclaimToken(address) reclaimEther() transferOut(address,uint256)
    _sweepToken(address) _reduceReserves(uint256) withdrawReserves(address,uint256) approveThis(address,address,uint256)
    approve(address,address,uint256) approveERC20(address,address,uint256) transfer(address,address,uint256) pull(address,address,uint256)
    collectProtocol(address,uint128,uint128) collectProtocolFees(address,address,uint256) claimFees(address) claimTokens(address)
    withdrawFees(address) withdrawFee(address,uint256) withdrawFee(address) destroyTokens(address,uint256) redelegate(address)
    crosschainBurn(address,uint256) bridgeBurn(address,uint256) l1Burn(address,uint256) operatorBurn(address,uint256,bytes,bytes)`),
  set_price: list(`
    setPrice(uint256) setPrice(address,uint256) setPrices(address[],uint256[]) setDirectPrice(address,uint256)
    setUnderlyingPrice(address,uint256) setPriceFeed(address,address) setPriceFeed(address) setPriceOracle(address)
    _setPriceOracle(address) setOracle(address) setOracle(address,address) setOracles(address[],address[])
    setAssetSources(address[],address[]) setAssetSource(address,address) setFallbackOracle(address) setFeed(address)
    setFeed(address,address) setAggregator(address) setAggregator(address,address) proposeAggregator(address) confirmAggregator(address)
    setPriceOracleSentinel(address) updatePrice(address,uint256) submit(uint256,int256) setRate(uint256) setRateProvider(address)
    setExchangeRate(uint256) setChainlinkOracle(address) setPriceSource(address,address) setAssetPrice(address,uint256)
    postPrices(bytes[],bytes[],string[]) poke(uint256) setAnswer(int256) updateAnswer(int256) setTokenOracle(address,address)
    setGasPrice(uint256) setExchangeRateProvider(address) setBaseTokenPriceFeed(address,address) setPriceProvider(address)
    setRewardOracle(address,address) setFeeTokenPricer(address) setAliasPriceFeed(address,address) proposeNewAggregator(address)
    configureEModeCategory(uint8,(uint16,uint16,uint16,address,string)) setGasPrice(uint256,uint256) setReservePrice(uint256)
    setMinReservePrice(uint256) setOracleBorrowRates(address[],uint256[],address)`),
  set_verifier: list(`
    setPeer(uint32,bytes32) setTrustedRemote(uint16,bytes) setTrustedRemoteAddress(uint16,bytes) setDelegate(address)
    setSendLibrary(address,uint32,address) setReceiveLibrary(address,uint32,address,uint256) setConfig(address,address,(uint32,uint32,bytes)[])
    setConfig(uint16,uint16,uint256,bytes) setSendVersion(uint16) setReceiveVersion(uint16) setInterchainSecurityModule(address)
    setValidators(address[],uint256) setQuorum(uint256) setSigner(address) setSigners(address[]) addSigner(address)
    addValidator(address) addSender(address,uint32) enrollRemoteRouter(uint32,bytes32) enrollRemoteRouters(uint32[],bytes32[])
    addRemoteTokenMessenger(uint32,bytes32) enableAttester(address) setSignatureThreshold(uint256) updateAttesterManager(address)
    setVerifier(address) setDVN(address) setEndpoint(address) setGateway(address) setMailbox(address) setBridge(address)
    setWormhole(address) setEmitter(uint16,bytes32) setL1Messenger(address) setL2Bridge(address) setMessenger(address)
    setRouter(address) setRemoteGateway(uint256,address) setTrustedForwarder(address) setWormholeRelayer(address)
    setDefaultReceiveLibrary(uint32,address,uint256) setDefaultSendLibrary(uint32,address) registerLibrary(address)
    setRelayer(address) setWorkers(address[]) setOffRamp(address) applyRampUpdates((uint64,address)[],(uint64,address)[],(uint64,address)[])
    setValidator(address) updateVerifier(uint256,uint64,address) rotateSigners(address[],uint256)
    setRemotePool(uint64,bytes) addRemotePool(uint64,bytes) setRemoteToken(uint256,address) transferOperatorship(bytes)
    proposeNewValidator(address) setDstConfig((uint32,string,string,uint16,uint256)[]) setCounterpartGNSAddress(address)
    setCounterpartStakingAddress(address)`),
  grant: list(`
    transferOwnership(address) grantRole(bytes32,address) setOwner(address) nominateNewOwner(address) setAuthority(address)
    rely(address) setPendingAdmin(address) _setPendingAdmin(address) changeAdmin(address) changeProxyAdmin(address,address)
    setGovernance(address) setGovernor(address) setAdmin(address) setMinter(address) addMinter(address) setPauser(address)
    addPauser(address) updateMasterMinter(address) updatePauser(address) updateBlacklister(address) updateRescuer(address)
    configureMinter(address,uint256) grantRoles(address,uint256) setRoleAdmin(bytes32,bytes32) beginDefaultAdminTransfer(address)
    grantRole(uint64,address,uint32) setTargetFunctionRole(address,bytes4[],uint64) setRoleAdmin(uint64,uint64) setRoleGuardian(uint64,uint64)
    updateAuthority(address,address) setUserRole(address,uint8,bool) setRoleCapability(uint8,address,bytes4,bool)
    setPublicCapability(bytes4,bool) setRoleCapability(uint8,bytes4,bool)
    setPublicCapability(address,bytes4,bool) setOperator(address) setKeeper(address) setManager(address) setGuardian(address)
    setController(address) addOwner(address) addOwnerWithThreshold(address,uint256) enableModule(address) changeThreshold(uint256)
    swapOwner(address,address,address) completeOwnershipHandover(address) transferGovernance(address) addAdmin(address)
    setLimits(address,uint256,uint256) setStrategist(address) setFeeToSetter(address) setFeeSetter(address) addOperator(address) authorizeOperator(address)
    setRewardsDistribution(address) transferAdminRole(address) setWhitelistAdmin(address) addWhitelistAdmin(address)
    setRole(address,uint256,bool)`),
  set_dependency: list(`
    setTreasury(address) setVault(address) setRegistry(address) setHook(address) setFallbackHandler(address) setGuard(address)
    setComptroller(address) _setComptroller(address) _setInterestRateModel(address) setInterestRateModel(address)
    setStrategy(address) setFactory(address) setHandler(address) setIncentivesController(address) setAddress(bytes32,address)
    setAddressAsProxy(bytes32,address) setPoolImpl(address) setACLManager(address) setReserveInterestRateStrategyAddress(address,address)
    setModule(address,bool) setModuleGuard(address) setMetadataRenderer(address) setStakingContract(address) setRewarder(address)
    setFeeTo(address) setFeeCollector(address) setFeeRecipient(address) setMsgInspector(address) setPreCrime(address) setLocker(address)
    setAddressValue(bytes32,bytes32,address)`),
  freeze: list(`
    blacklist(address) freeze(address) addBlackList(address) addToBlacklist(address) setBlacklisted(address,bool) lock(address)
    freezeAccount(address,bool) block(address) blockUser(address) denylist(address) addToDenylist(address) setFrozen(address,bool)
    addBlockedAddress(address) restrictAccount(address) setAccountStatus(address,bool) freezeAccount(address) blockMessage(bytes32)`),
  pause: list(`
    pause() unpause() setPaused(bool) pause(bool) pauseAll() stop() start() setPause(bool) emergencyPause() emergencyStop()
    _setMintPaused(address,bool) _setBorrowPaused(address,bool) _setTransferPaused(bool) _setSeizePaused(bool)
    setReservePause(address,bool) setPoolPause(bool) setReserveFreeze(address,bool) setPausedFlags(uint256) cage() shutdown()
    setEmergencyShutdown(bool) pauseDeposits() pauseWithdrawals() pauseContract() disable() enable() halt() pauseMint() pauseBorrow()
    pause(bool,bool,bool,bool,bool) pauseBatch() unpauseAll() setActive(bool) endPresale() closeFactory()
    pause(string) setPartialPaused(bool)`),
  set_terms: list(`
    setFee(uint256) setFees(uint256,uint256) setFeeRate(uint256) setCap(uint256) setSupplyCap(address,uint256) setBorrowCap(address,uint256)
    setLimit(uint256) setMaxSupply(uint256) setDelay(uint256) updateDelay(uint256) setMinDelay(uint256) setVotingDelay(uint256)
    setVotingDelay(uint48) setVotingPeriod(uint256) setVotingPeriod(uint32) setProposalThreshold(uint256) updateQuorumNumerator(uint256)
    setFeeBps(uint16) setDefaultFeeBps(uint16) setReserveFactor(address,uint256) setReserveFactor(uint256) _setReserveFactor(uint256) _setCloseFactor(uint256)
    _setCollateralFactor(address,uint256) _setLiquidationIncentive(uint256) setParams(uint256,uint256) setFeeProtocol(uint8,uint8)
    setDefaultRoyalty(address,uint96) setTokenRoyalty(uint256,address,uint96) setRewardsDuration(uint256) notifyRewardAmount(uint256)
    setBaseURI(string) setURI(string) setTokenURI(uint256,string) setContractURI(string) file(bytes32,uint256) file(bytes32,address)
    file(bytes32,bytes32,uint256) setGracePeriod(uint256) setInterval(uint256) setEnforcedOptions((uint32,uint16,bytes)[])
    setRateLimits((uint32,uint256,uint256)[]) setMinDstGas(uint16,uint16,uint256) setMaxFee(uint256) setDebtCeiling(uint256)
    grantDelay(uint64,uint32) setGrantDelay(uint64,uint32) setTargetAdminDelay(address,uint32) setSwapFeePercentage(uint256)
    changeDefaultAdminDelay(uint48) setDefaultFeeBps(uint16) setReserveBorrowing(address,bool) setLateQuorumVoteExtension(uint48)
    setConfiguration(address,(uint256)) setConfiguration(address,uint256) updateBridgeProtocolFee(uint256)
    setUIntValue(bytes32,bytes32,uint256) setUIntValues(bytes32,bytes32[],uint256[]) setIntValue(bytes32,bytes32,int256)
    setBoolValue(bytes32,bytes32,bool) setBytes32Value(bytes32,bytes32,bytes32) updateFlashloanPremiums(uint128,uint128)`),
}

export type Named = { readonly signature: string; readonly effect?: PowerEffect }

export const selectorOf = (signature: string): Hex =>
  `0x${bytesToHex(keccak_256(utf8ToBytes(signature)).subarray(0, 4))}`

/** Functions that no effect of the list fits. */
const OTHERS = list(`
  renounceOwnership() revokeRole(bytes32,address) renounceRole(bytes32,address) acceptOwnership() cancelOwnershipHandover()
  revokeRoles(address,uint256) renounceRoles(uint256) deny(address) removeMinter(address) renounceMinter() renouncePauser()
  acceptAdmin() _acceptAdmin() acceptDefaultAdminTransfer() cancelDefaultAdminTransfer() rollbackDefaultAdminDelay()
  initialize() initialize(address) cancel(bytes32) cancelTransaction(address,uint256,string,bytes,uint256)
  schedule(address,uint256,bytes,bytes32,bytes32,uint256) scheduleBatch(address[],uint256[],bytes[],bytes32,bytes32,uint256)
  queueTransaction(address,uint256,string,bytes,uint256) unBlacklist(address) removeBlackList(address) snapshot()
  removeOwner(address,address,uint256) disableModule(address,address) labelRole(uint64,string) revokeRole(uint64,address)
  isValidSignature(bytes32,bytes) isValidSignature(bytes,bytes)`)

const BY_SELECTOR: ReadonlyMap<Hex, Named> = new Map([
  ...OTHERS.map((signature): [Hex, Named] => [selectorOf(signature), { signature }]),
  ...Object.entries(BY_EFFECT).flatMap(([effect, signatures]) =>
    signatures.map((signature): [Hex, Named] => [selectorOf(signature), { signature, effect: effect as PowerEffect }]),
  ),
])

export const findNamed = (selector: Hex): Named | undefined => BY_SELECTOR.get(selector)

const selectors = (text: string): ReadonlySet<Hex> => new Set(list(text).map(selectorOf))

/** Functions that return a price or a rate. */
export const PRICE_GETTERS = selectors(`
  latestAnswer() latestRoundData() getRoundData(uint80) getPrice() getPrice(address) getPrice(bytes32) price() prices(address)
  getAssetPrice(address) getUnderlyingPrice(address) getRate() exchangeRate() getExchangeRate() rate() pricePerShare()
  getPricePerFullShare() getSourceOfAsset(address) peek() read() getLatestPrice() latestPrice() assetPrices(address)
  getAssetsPrices(address[]) exchangeRateStored() getTokenPrice(address) priceOf(address) quote(uint256) getPriceUnsafe(bytes32)`)

/** Functions by which holders move their tokens. */
export const TRANSFERS = selectors(`
  transfer(address,uint256) transferFrom(address,address,uint256) safeTransferFrom(address,address,uint256)
  safeTransferFrom(address,address,uint256,uint256,bytes)`)

/** Functions by which a contract trades, lends, bridges or claims what it has, for an account that it passes or by routes that it passes. */
export const SPENDING = selectors(`
  swap(uint256,uint256,address,bytes) swap(address,bool,int256,uint160,bytes)
  swapExactTokensForTokens(uint256,uint256,address[],address,uint256) swapTokensForExactTokens(uint256,uint256,address[],address,uint256)
  swapExactETHForTokens(uint256,address[],address,uint256) swapExactTokensForETH(uint256,uint256,address[],address,uint256)
  swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)
  swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)
  swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)
  exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160)) exactInput((bytes,address,uint256,uint256,uint256))
  exactInputSingle((address,address,uint24,address,uint256,uint256,uint160)) exactInput((bytes,address,uint256,uint256))
  addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)
  addLiquidityETH(address,uint256,uint256,uint256,address,uint256)
  removeLiquidity(address,address,uint256,uint256,uint256,address,uint256)
  removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)
  collect((uint256,address,uint128,uint128)) collect(address,int24,int24,uint128,uint128)
  deposit(uint256,address) mint(uint256,address) depositFor(address,uint256) depositTo(address,uint256) deposit(address,uint256,address,uint16)
  supply(address,uint256,address,uint16) borrow(address,uint256,uint256,uint16,address) withdraw(uint256,address) redeem(uint256,address)
  withdrawTo(address,address,uint256) claim(address) claimTo(address) getReward(address) exit(address)
  sendFrom(address,uint16,bytes,uint256,(address,address,bytes)) sendFrom(address,uint16,bytes,uint256,address,address,bytes)
  bridgeERC20To(address,address,address,uint256,uint32,bytes) depositERC20To(address,address,address,uint256,uint32,bytes)`)
