#pragma once
struct FSubsystemCollectionBase {};
class UGameInstanceSubsystem
{
public:
	virtual ~UGameInstanceSubsystem() {}
	virtual void Initialize(FSubsystemCollectionBase&) {}
	virtual void Deinitialize() {}
};
