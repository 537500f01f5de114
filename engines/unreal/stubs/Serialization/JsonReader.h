#pragma once
template <class CharType = TCHAR> struct TJsonReader {};
template <class CharType = TCHAR> struct TJsonReaderFactory
{
	static TSharedRef<TJsonReader<CharType>> Create(const FString&) { return {}; }
};
